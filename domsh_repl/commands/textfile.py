"""Text files that commands write for later: whole or not at all, and read back with care."""

from __future__ import annotations

import os
import tempfile
from contextlib import suppress
from pathlib import Path

from domsh_repl.commands.picturefile import check_target, is_device
from domsh_repl.errors import Failed
from domsh_repl.safetext import one_line
from domsh_repl.userfiles import require_file

__all__ = ["path_named", "read_text", "save_text"]

_MOST = 100_000_000
"""Bytes of a file that are read: what domsh writes is far smaller."""
_READABLE = 0o666


def path_named(text: str) -> Path:
    """Return the file that a word names; ``~`` is the home directory."""
    with suppress(RuntimeError):  # no such user: it is a name like any other
        return Path(text).expanduser()
    return Path(text)


def save_text(path: Path, text: str, *, force: bool, private: bool = False) -> None:
    """Write a file at once, so that nobody reads half of it; raises ``Failed``.

    A file that is there already stays unless ``force`` is given, whoever makes it meanwhile. A
    ``private`` one only its owner can read (0600).
    """
    check_target(str(path), force=force)
    try:
        if is_device(path):
            path.write_text(text, encoding="utf-8")
            return
        _replace(Path(os.path.realpath(path)), text, force=force, private=private)
    except FileExistsError as error:
        raise Failed(f"{_shown(path)} is there already", "--force overwrites it") from error
    except (OSError, ValueError) as error:
        raise _failure("write", path, error) from error


def _replace(path: Path, text: str, *, force: bool, private: bool) -> None:
    handle, name = tempfile.mkstemp(prefix=".domsh-", dir=path.parent)  # 0600
    written = Path(name)
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
        if not private:
            written.chmod(_READABLE & ~_umask())
        if force:
            written.replace(path)
        else:
            os.link(written, path)
    finally:
        written.unlink(missing_ok=True)


def _umask() -> int:
    """Return what new files are made without; there is no way to ask but to set it."""
    mask = os.umask(0o077)
    os.umask(mask)
    return mask


def read_text(path: Path) -> str:
    """Return the text of a file; raises ``Failed``, also for what is no file of text."""
    try:
        require_file(str(path))
        if path.stat().st_size > _MOST:
            raise Failed(f"{_shown(path)} is too large", "is it the right file?")
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise Failed(f"{_shown(path)} is no text", "is it the right file?") from error
    except (OSError, ValueError) as error:
        raise _failure("read", path, error) from error


def _failure(doing: str, path: Path, error: Exception) -> Failed:
    reason = getattr(error, "strerror", None) or str(error)
    return Failed(f"cannot {doing} {_shown(path)}: {one_line(str(reason), 80)}")


def _shown(path: Path) -> str:
    return one_line(str(path), 100)
