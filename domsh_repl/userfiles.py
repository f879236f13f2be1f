"""Where a user's files are: configuration and state, each in its own place of the platform.

The XDG base directories where they are named or usual, the Library folder on macOS. Names
places, and makes a file that only the user can read; reads nothing.
"""

from __future__ import annotations

import errno
import os
import stat
import sys
from collections.abc import Mapping

__all__ = ["config_file", "make_private", "require_file", "state_file"]

_LIBRARY = "~/Library/Application Support"


def config_file(environment: Mapping[str, str]) -> str:
    """Return the path of the configuration file, which need not exist."""
    return _place("config.toml", "XDG_CONFIG_HOME", "~/.config", environment)


def state_file(name: str, environment: Mapping[str, str]) -> str:
    """Return the path of a file that one shell leaves to the next, such as ``history``."""
    return _place(name, "XDG_STATE_HOME", "~/.local/state", environment)


def require_file(path: str) -> None:
    """Raise ``OSError`` for what is there and no ordinary file: a pipe would never be read out."""
    try:
        mode = os.stat(path).st_mode  # noqa: PTH116
    except FileNotFoundError:
        return
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), path)
    if not stat.S_ISREG(mode):
        raise OSError(errno.EINVAL, "it is no ordinary file", path)


def make_private(path: str) -> None:
    """Make a file, and the folders above it, that only the user can read; raises ``OSError``."""
    os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)  # noqa: PTH103, PTH120
    require_file(path)
    os.close(os.open(path, os.O_CREAT | os.O_APPEND | os.O_RDWR, 0o600))
    os.chmod(path, 0o600)  # noqa: PTH101


def _place(name: str, variable: str, usual: str, environment: Mapping[str, str]) -> str:
    folder = environment.get(variable, "")
    if not os.path.isabs(folder):  # noqa: PTH117  (a relative one is ignored: XDG says so)
        folder = os.path.expanduser(_LIBRARY if sys.platform == "darwin" else usual)  # noqa: PTH111
    return os.path.join(folder, "domsh", name)  # noqa: PTH118  (pathlib would cost its import)
