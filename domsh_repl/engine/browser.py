"""Starting and stopping a browser on a pair of pipes, so that nothing of it outlives us.

This room may start processes, signal the session it started, and make and remove a profile
directory. It does not speak CDP: it hands out the two descriptors of the pipe and closes them.
"""

from __future__ import annotations

import asyncio
import contextlib
import errno
import os
import re
import shutil
import signal
import sys
import tempfile
import threading
from collections.abc import Iterable, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path

from domsh_repl.engine.browser_paths import FoundBrowser
from domsh_repl.engine.supervisor import SUPERVISOR
from domsh_repl.errors import NotConnected, Unsupported
from domsh_repl.safetext import one_line

__all__ = ["BrowserProcess", "flags", "start_browser", "start_failure"]

_FLAGS = (
    "--remote-debugging-pipe",
    "--no-first-run",
    "--no-default-browser-check",
    "--disable-background-networking",
    "--disable-background-timer-throttling",
    "--disable-backgrounding-occluded-windows",
    "--disable-renderer-backgrounding",
    "--disable-breakpad",
    "--disable-crash-reporter",
    "--disable-component-update",
    "--disable-default-apps",
    "--disable-dev-shm-usage",
    "--disable-extensions",
    "--disable-sync",
    "--password-store=basic",
    "--metrics-recording-only",
)
_FLAGS_WITHOUT_WINDOW = ("--headless", "--disable-gpu", "--mute-audio", "--hide-scrollbars")
_FEATURE_LISTS: Mapping[str, tuple[str, ...]] = {
    "--disable-features": (
        "Translate",
        "MediaRouter",
        "OptimizationHints",
        "DialMediaRouteProvider",
        "AcceptCHFrame",
        "DeferRendererTasksAfterInput",  # timers wait for a frame after each click that nobody sees
        "BackForwardCache",  # a page from it comes back without load and lifecycle events
    ),
    "--enable-blink-features": ("ComputedAccessibilityInfo",),  # computedName for searches
}
"""Flags of which only the last counts, so that each is given once with all its values."""

_LOWEST_FREE_FD = 6  # 0 to 5 are given away in the browser's session
_TAIL_BYTES = 16_384
_CLOSE_SECONDS = 3.0
_GRACE_SECONDS = 1.0
_UNKNOWN_STATUS = 255

_LOG_PREFIX = re.compile(r"^\[[^\]]*:(?P<level>[A-Z]+):[^\]]*\]\s*")
_OTHER_BROWSER = "name another browser: --browser PATH"
_TELLING: Mapping[str, str] = {
    "without --no-sandbox": "run domsh as an ordinary user",
    "No usable sandbox": "allow unprivileged user namespaces, or name another: --browser PATH",
    "X server": "leave out --headed, or set DISPLAY",
    "platform failed to initialize": "leave out --headed, or set DISPLAY",
    "existing browser session": "close the browser that uses this profile, or leave out --profile",
    "profile appears to be in use": "close the browser that uses it, or leave out --profile",
    "shared libraries": "install the missing library, or name another browser: --browser PATH",
}
"""What a browser says when it cannot start, and what helps."""


def flags(
    *,
    headed: bool,
    root: bool,
    profile: str | None,
    extra: Sequence[str] = (),
) -> list[str]:
    """Return the command line behind the program's name; ``extra`` is taken up into it.

    ``root`` gives up the sandbox, with which no Chromium runs as the superuser.
    """
    own = [*_FLAGS] if headed else [*_FLAGS, *_FLAGS_WITHOUT_WINDOW]
    own += [_joined(name, values, extra) for name, values in _FEATURE_LISTS.items()]
    if root:
        own.append("--no-sandbox")
    if profile is not None:
        own.append(f"--user-data-dir={profile}")
    lists = tuple(f"{name}=" for name in _FEATURE_LISTS)
    return [*own, *(flag for flag in extra if not flag.startswith(lists)), "about:blank"]


def _joined(name: str, values: Iterable[str], extra: Iterable[str]) -> str:
    added = [flag.partition("=")[2] for flag in extra if flag.startswith(f"{name}=")]
    return f"{name}={','.join([*values, *added])}"


class BrowserProcess:
    """A browser that runs in a session of its own.

    ``read_fd`` and ``write_fd`` are our ends of its debugging pipe; they stay this object's to
    close and are -1 afterwards. It does not outlive ``lifeline_fd`` by more than four seconds.
    ``profile`` is the directory that goes when the browser does.
    """

    def __init__(  # noqa: PLR0913 - made in one place, from what that place has in hand
        self,
        name: str,
        pid: int,
        *,
        read_fd: int,
        write_fd: int,
        stderr_fd: int,
        lifeline_fd: int,
        profile: str,
    ) -> None:
        self.name = name
        self.pid = pid
        self.read_fd = read_fd
        self.write_fd = write_fd
        self.profile = profile
        self._lifeline_fd = lifeline_fd
        self._tail = bytearray()
        self._exit_status: int | None = None
        self._lock = threading.Lock()
        self._gone = threading.Event()
        self._drain = threading.Thread(target=self._keep_tail, args=(stderr_fd,), daemon=True)
        self._watch = threading.Thread(target=self._reap, daemon=True)
        self._drain.start()
        self._watch.start()

    @property
    def exit_status(self) -> int | None:
        """The exit status, None while it runs.

        It is 128 more than the number of a signal that ended the browser, as in a shell, and
        negative as in ``subprocess`` when the whole session was killed.
        """
        return self._exit_status

    def stderr_tail(self) -> str:
        """Return the last 16 KiB at most of what the browser wrote to its output and error."""
        with self._lock:
            return self._tail.decode(errors="replace")

    def wait(self, seconds: float) -> bool:
        """Wait until every process of the browser is gone; tell whether that came in time."""
        return self._gone.wait(seconds)

    async def close(self) -> None:
        """Close the pipe, which ends the browser, and kill what has not ended after 3 seconds.

        On return the temporary profile is gone, and every process has let go of its files or has
        got its SIGKILL; the kernel may need some more milliseconds to take the last one off its
        list. May be called again, and for a browser that has died.
        """
        loop = asyncio.get_running_loop()
        for fd in (self.read_fd, self.write_fd):
            if fd >= 0:
                loop.remove_reader(fd)
                loop.remove_writer(fd)
        self._close_pipe()
        try:
            if not self._gone.is_set():
                await asyncio.to_thread(self.wait, _CLOSE_SECONDS)
        finally:
            self.kill()

    def kill(self) -> None:
        """Kill every process of the browser at once and remove its temporary profile."""
        self._close_pipe()
        self.kill_only()

    def kill_only(self) -> None:
        """Kill as ``kill`` does, but leave the pipe open, for an event loop that still reads it."""
        with self._lock:
            if not self._gone.is_set():
                self._kill_session()
        self._watch.join(2 * _GRACE_SECONDS)
        self._drain.join(_GRACE_SECONDS)
        if self.profile:
            shutil.rmtree(self.profile, ignore_errors=True)

    def _close_pipe(self) -> None:
        with self._lock:
            fds = (self.read_fd, self.write_fd, self._lifeline_fd)
            self.read_fd = self.write_fd = self._lifeline_fd = -1
        for fd in fds:
            if fd >= 0:
                os.close(fd)

    def _kill_session(self) -> None:
        with contextlib.suppress(ProcessLookupError, PermissionError):  # macOS: only zombies left
            os.killpg(self.pid, signal.SIGKILL)

    def _keep_tail(self, fd: int) -> None:
        try:
            while chunk := os.read(fd, 65_536):
                with self._lock:
                    self._tail += chunk
                    del self._tail[:-_TAIL_BYTES]
        finally:
            os.close(fd)

    def _reap(self) -> None:
        """Wait for the leader; what it left of its session gets a second to end by itself."""
        try:
            status = os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])
        except ChildProcessError:  # somebody set SIGCHLD to be ignored
            status = _UNKNOWN_STATUS
        self._exit_status = status
        self._drain.join(_GRACE_SECONDS)
        with self._lock:
            # Now or never: later the number could be that of another group.
            self._kill_session()
            self._gone.set()


def start_browser(  # noqa: PLR0913 - the options of the command line, one each
    found: FoundBrowser,
    *,
    headed: bool = False,
    profile: str | None = None,
    proxy: str | None = None,
    insecure: bool = False,
    extra: Sequence[str] = (),
) -> BrowserProcess:
    """Start the browser and return at once; whether it lives shows in its pipe.

    ``profile`` is a directory to keep; without one, a browser that needs a profile gets a
    temporary one. ``insecure`` accepts any certificate. Raises ``NotConnected`` when the
    program cannot be executed, ``Unsupported`` where no pipe can be handed to it.
    """
    if sys.platform == "win32" or not hasattr(os, "posix_spawn"):
        raise Unsupported(
            "starting a browser is not possible on this system", "run domsh on Linux or macOS"
        )
    network = ([f"--proxy-server={proxy}"] if proxy else []) + (
        ["--ignore-certificate-errors"] if insecure else []
    )
    temporary = ""
    try:
        if profile is None and found.needs_profile:
            temporary = tempfile.mkdtemp(prefix="domsh-", dir=_profiles_directory(found.path))
        arguments = flags(
            headed=headed,
            root=os.geteuid() == 0,
            profile=profile or temporary or None,
            extra=[*network, *extra],
        )
        return _spawned(found, arguments, temporary)
    except OSError as error:
        if temporary:
            shutil.rmtree(temporary, ignore_errors=True)
        raise NotConnected(
            f"{found.path} does not start: {error.strerror}", _OTHER_BROWSER
        ) from error


def _profiles_directory(program: str) -> str | None:
    """Return where temporary profiles go: a snap sees neither our /tmp nor hidden directories."""
    if not program.startswith("/snap/"):
        return None
    common = Path("~/snap/chromium/common").expanduser()
    return str(common) if common.is_dir() else None


def _spawned(found: FoundBrowser, arguments: Sequence[str], temporary: str) -> BrowserProcess:
    _require_program(found.path)  # the shell would tell that too late
    command = ["/bin/sh", "-c", SUPERVISOR, temporary, found.path, *arguments]
    with ExitStack() as theirs, ExitStack() as ours:
        commands, write_fd = _pipe(theirs, ours)
        read_fd, replies = _pipe(ours, theirs)
        stderr_fd, errors = _pipe(ours, theirs)
        watched, lifeline_fd = _pipe(theirs, ours)
        # When nobody drains it, messages get lost and the browser does not wait.
        os.set_blocking(errors, False)
        pid = os.posix_spawn(
            command[0],
            command,
            _environment(temporary),
            file_actions=[
                (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0),
                (os.POSIX_SPAWN_DUP2, errors, 1),
                (os.POSIX_SPAWN_DUP2, errors, 2),
                (os.POSIX_SPAWN_DUP2, commands, 3),
                (os.POSIX_SPAWN_DUP2, replies, 4),
                (os.POSIX_SPAWN_DUP2, watched, 5),
            ],
            setsid=True,
            setsigmask=(),
        )
        ours.pop_all()
    return BrowserProcess(
        Path(found.path).name,
        pid,
        read_fd=read_fd,
        write_fd=write_fd,
        stderr_fd=stderr_fd,
        lifeline_fd=lifeline_fd,
        profile=temporary,
    )


def _require_program(path: str) -> None:
    """Raise ``OSError`` where there is no file that can be executed."""
    Path(path).stat()
    if not os.access(path, os.X_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))


def _pipe(reader: ExitStack, writer: ExitStack) -> tuple[int, int]:
    """Return a pipe (read, write) whose ends close with their owners and are not inherited."""
    import fcntl  # noqa: PLC0415 - there is none on Windows, where this module is still loaded

    ends = os.pipe()
    raised = []
    for fd, owner in zip(ends, (reader, writer), strict=True):
        # A low number would be overwritten in the browser before it is used there.
        raised.append(fcntl.fcntl(fd, fcntl.F_DUPFD_CLOEXEC, _LOWEST_FREE_FD))
        owner.callback(os.close, raised[-1])
        os.close(fd)
    return raised[0], raised[1]


def _environment(temporary: str) -> dict[str, str]:
    """Return our environment with TMPDIR in the profile, so that its sockets go with it.

    Not on macOS, where a socket's path may have 104 bytes and temporary ones start with 50.
    """
    environment = dict(os.environ)
    if temporary and sys.platform != "darwin":
        directory = Path(temporary, "tmp")
        directory.mkdir()
        environment["TMPDIR"] = str(directory)
    return environment


def start_failure(process: BrowserProcess) -> NotConnected:
    """Return the error for a browser whose pipe ended before it answered.

    Waits up to a second for its last words. They are foreign text and come escaped.
    """
    process.wait(_GRACE_SECONDS)
    line, hint = _telling_line(process.stderr_tail())
    ended = "closed its debugging pipe"
    if process.exit_status is not None:
        ended = f"ended at once (exit status {process.exit_status})"
    return NotConnected(f"{process.name} {ended}: {line or 'it gave no reason'}", hint)


def _telling_line(text: str) -> tuple[str, str]:
    """Return the line that says most about a failed start, and a hint."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    for line in lines:
        for fragment, hint in _TELLING.items():
            if fragment in line:
                return one_line(_LOG_PREFIX.sub("", line)), hint
    # The session bus is missing in every container and stops nobody.
    lines = [line for line in lines if "dbus" not in line] or lines
    for level in ("FATAL", "ERROR"):
        for line in reversed(lines):
            match = _LOG_PREFIX.match(line)
            if match and match["level"] == level:
                return one_line(line[match.end() :]), _OTHER_BROWSER
    return one_line(lines[-1]) if lines else "", _OTHER_BROWSER
