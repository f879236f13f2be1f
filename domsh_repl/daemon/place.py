"""Where the daemon is: a folder of the user's own with its socket, its lock, its state and its log.

Read by the thin client: imports ``os`` only, and tells an error as a ``Refusal``.
"""

from __future__ import annotations

import os
import stat
import sys

TYPE_CHECKING = False  # typing's own would cost its import
if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["NOT_RUNNING", "Place", "Refusal", "State"]

_LONGEST_SOCKET = 100
"""Bytes of a socket's path: Linux takes 107, macOS 103."""
_OTHERS = 0o077


class Refusal(Exception):  # noqa: N818  (it is handed on as a value)
    """An error of the user's tree, before that can be imported: its code, message and hint."""

    def __init__(self, code: str, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.hint = hint

    def encode(self) -> bytes:
        """Return the payload of the frame that tells it."""
        return f"{self.code}\0{self.message}\0{self.hint}".encode()

    @classmethod
    def decode(cls, payload: bytes) -> Refusal:
        """Return the refusal that a frame tells."""
        return cls(*payload.decode("utf-8", "replace").split("\0"))


NOT_RUNNING = Refusal("not_connected", "no daemon is running", "`domsh daemon start`")


class State:
    """What a daemon says of itself in its folder: plain, so that nothing is imported for it.

    ``port`` is 0 where the daemon has a Unix socket.
    """

    def __init__(self, pid: int, version: str, port: int = 0, token: str = "") -> None:
        self.pid = pid
        self.version = version
        self.port = port
        self.token = token

    @property
    def text(self) -> str:
        """The lines of the file."""
        return f"{self.pid}\n{self.version}\n{self.port}\n{self.token}\n"


class Place:
    """The folder's files, for ``environment``: ``$XDG_RUNTIME_DIR/domsh``, or a temporary one."""

    def __init__(self, environment: Mapping[str, str] = os.environ) -> None:
        self.folder = _folder(environment)
        self.socket = os.path.join(self.folder, "socket")  # noqa: PTH118  (pathlib costs more)
        self.lock = os.path.join(self.folder, "lock")  # noqa: PTH118
        self.state = os.path.join(self.folder, "state")  # noqa: PTH118
        self.log = os.path.join(self.folder, "log")  # noqa: PTH118

    @property
    def takes_socket(self) -> bool:
        """Whether there are Unix sockets, and the path is short enough for one."""
        return sys.platform != "win32" and len(os.fsencode(self.socket)) <= _LONGEST_SOCKET

    def make(self) -> None:
        """Make the folder if there is none; raises ``Refusal`` where it cannot be trusted."""
        try:
            os.mkdir(self.folder, 0o700)  # noqa: PTH102
        except FileExistsError:
            pass
        except OSError as error:
            raise _unusable(self.folder, f"cannot be made: {error.strerror}") from error
        self.check()

    def check(self) -> None:
        """Raise ``Refusal`` when there is no folder, or one that others could reach into."""
        try:
            found = os.lstat(self.folder)
        except FileNotFoundError:
            raise NOT_RUNNING from None
        except OSError as error:
            raise _unusable(self.folder, error.strerror or "cannot be read") from error
        if not stat.S_ISDIR(found.st_mode):
            raise _unusable(self.folder, "is no folder")
        if sys.platform == "win32":
            return  # the folder for temporary files is the user's own there
        if found.st_uid != os.getuid():
            raise _unusable(self.folder, "belongs to somebody else")
        if found.st_mode & _OTHERS:
            raise Refusal(
                "not_connected",
                f"{self.folder} is open to others, so no daemon is trusted in it",
                f"chmod 700 {self.folder}",
            )

    def read_state(self) -> State | None:
        """Return what the daemon of this folder wrote last; None where that cannot be read."""
        try:
            with open(self.state, encoding="utf-8") as file:  # noqa: PTH123
                pid, version, port, token, *_ = file.read().split("\n")
            return State(int(pid), version, int(port), token)
        except (OSError, ValueError):
            return None


def _folder(environment: Mapping[str, str]) -> str:
    runtime = environment.get("XDG_RUNTIME_DIR", "")
    if os.path.isabs(runtime):  # noqa: PTH117  (the specification ignores others)
        return os.path.join(runtime, "domsh")  # noqa: PTH118
    named = [environment.get(name, "") for name in ("TMPDIR", "TEMP", "TMP")]
    temporary = next((one for one in named if os.path.isabs(one)), "/tmp")  # noqa: PTH117, S108
    user = "" if sys.platform == "win32" else f"-{os.getuid()}"
    return os.path.join(temporary, f"domsh{user}")  # noqa: PTH118


def _unusable(folder: str, reason: str) -> Refusal:
    return Refusal(
        "not_connected",
        f"the daemon's folder {folder} {reason}",
        "XDG_RUNTIME_DIR names the folder that it is made in",
    )
