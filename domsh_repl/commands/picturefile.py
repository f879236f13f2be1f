"""Where a picture is saved: a file of the user's name, or the next free one.

Nothing is overwritten but on demand, whoever makes the file meanwhile: it is opened as one that
must not exist.
"""

from __future__ import annotations

import itertools
import stat
from pathlib import Path

from domsh_repl.errors import Failed
from domsh_repl.safetext import one_line

__all__ = ["check_target", "is_device", "save_picture"]

_MOST_NUMBERS = 10_000


def check_target(target: str, *, force: bool) -> None:
    """Refuse a file that is there already, before anything is done; raises ``Failed``."""
    if target and not force and _is_taken(_path(target)):
        raise _taken(target)


def save_picture(png: bytes, target: str, *, force: bool) -> str:
    """Save a picture and return the file's name; raises ``Failed``."""
    if target:
        try:
            _write(_path(target), png, force=force)
        except FileExistsError:
            raise _taken(target) from None
        return target
    for number in itertools.count(1):
        name = f"domsh-{number}.png"
        try:
            _write(Path(name), png, force=False)
        except FileExistsError:
            if number == _MOST_NUMBERS:
                raise _taken(name) from None
            continue
        return name
    raise AssertionError("unreachable")


def _write(path: Path, data: bytes, *, force: bool) -> None:
    mode = "wb" if force or is_device(path) else "xb"
    try:
        with path.open(mode) as file:
            file.write(data)
    except FileExistsError:
        raise
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise Failed(
            f"{one_line(str(path))} cannot be written: {reason}", "`screenshot -o FILE` elsewhere"
        ) from error


def _path(target: str) -> Path:
    try:
        return Path(target).expanduser()
    except RuntimeError as error:  # ~nobody
        raise Failed(f"{one_line(target)} is no file: {error}", "-o takes a file") from error


def _is_taken(path: Path) -> bool:
    try:
        return (path.exists() or path.is_symlink()) and not is_device(path)
    except OSError:
        return False  # writing tells why


def is_device(path: Path) -> bool:
    """Tell whether what is there is nothing that writing would destroy (/dev/stdout, a pipe)."""
    try:
        mode = path.stat().st_mode
    except (OSError, ValueError):
        return False
    return stat.S_ISCHR(mode) or stat.S_ISFIFO(mode)


def _taken(target: str) -> Failed:
    return Failed(f"{one_line(target)} is there already", "--force overwrites it")
