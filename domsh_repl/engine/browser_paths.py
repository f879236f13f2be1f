"""Where browsers are: a table of places for each system, and the search through it.

It looks at files and directories and starts nothing. What the disk says comes in through
``Files``, so the table of any system can be tried on any other.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fnmatch import fnmatchcase
from pathlib import Path, PurePath, PurePosixPath, PureWindowsPath
from typing import Protocol

from domsh_repl.errors import NotConnected

__all__ = ["BrowserKind", "Candidate", "Files", "FoundBrowser", "candidates", "find_browser"]


class BrowserKind(StrEnum):
    """The families of Chromium that speak the DevTools protocol, in the order of our choice."""

    HEADLESS_SHELL = "headless-shell"
    CHROME = "chrome"
    CHROMIUM = "chromium"
    EDGE = "edge"
    BRAVE = "brave"


@dataclass(frozen=True, slots=True)
class FoundBrowser:
    """A browser's program file."""

    path: str
    kind: BrowserKind

    @property
    def needs_profile(self) -> bool:
        """True unless it can run without a profile directory, as the headless shell does."""
        return self.kind is not BrowserKind.HEADLESS_SHELL


@dataclass(frozen=True, slots=True)
class Candidate:
    """A place to look at: ``pattern`` below ``base``, with ``*`` for any part of a name."""

    kind: BrowserKind
    base: PurePath
    pattern: str


class Files(Protocol):
    """What the search asks of a file system."""

    def is_program(self, path: str) -> bool:
        """Tell whether it is a file that this user can execute."""

    def names(self, directory: str) -> Sequence[str]:
        """Return the names in a directory, none when it cannot be read."""


class _Disk:
    def is_program(self, path: str) -> bool:
        return os.access(path, os.X_OK) and Path(path).is_file()

    def names(self, directory: str) -> Sequence[str]:
        try:
            return sorted(entry.name for entry in Path(directory).iterdir())
        except OSError:
            return ()


_DISK = _Disk()
_Table = Mapping[BrowserKind, tuple[str, ...]]

# Debian's chromium-headless-shell in /usr/bin is a script that does not exec, so that its process
# is not the browser's: the program itself comes first. Paths are seen from the root directory.
_LINUX_PLACES: _Table = {
    BrowserKind.HEADLESS_SHELL: (
        "usr/lib/chromium/chromium-headless-shell",
        "usr/lib64/chromium-browser/headless_shell",
    ),
    BrowserKind.CHROME: ("opt/google/chrome/chrome",),
    BrowserKind.CHROMIUM: ("usr/lib/chromium/chromium",),
    BrowserKind.EDGE: ("opt/microsoft/msedge/msedge",),
    BrowserKind.BRAVE: ("opt/brave.com/brave/brave",),
}
_LINUX_SNAPS: _Table = {BrowserKind.CHROMIUM: ("snap/bin/chromium",)}
# Seen from /Applications and from that of the user.
_MACOS_PLACES: _Table = {
    BrowserKind.CHROME: ("Google Chrome.app/Contents/MacOS/Google Chrome",),
    BrowserKind.CHROMIUM: ("Chromium.app/Contents/MacOS/Chromium",),
    BrowserKind.EDGE: ("Microsoft Edge.app/Contents/MacOS/Microsoft Edge",),
    BrowserKind.BRAVE: ("Brave Browser.app/Contents/MacOS/Brave Browser",),
}
# Seen from the directories of programs, for the machine and for the user.
_WINDOWS_PLACES: _Table = {
    BrowserKind.CHROME: ("Google/Chrome/Application/chrome.exe",),
    BrowserKind.CHROMIUM: ("Chromium/Application/chrome.exe",),
    BrowserKind.EDGE: ("Microsoft/Edge/Application/msedge.exe",),
    BrowserKind.BRAVE: ("BraveSoftware/Brave-Browser/Application/brave.exe",),
}
_COMMANDS: _Table = {
    BrowserKind.HEADLESS_SHELL: (
        "chromium-headless-shell",
        "chrome-headless-shell",
        "headless_shell",
    ),
    BrowserKind.CHROME: ("google-chrome-stable", "google-chrome"),
    BrowserKind.CHROMIUM: ("chromium", "chromium-browser", "chrome"),
    BrowserKind.EDGE: ("microsoft-edge-stable", "microsoft-edge"),
    BrowserKind.BRAVE: ("brave-browser-stable", "brave-browser", "brave"),
}
_WINDOWS_COMMANDS: _Table = {
    BrowserKind.HEADLESS_SHELL: ("chrome-headless-shell.exe",),
    BrowserKind.CHROME: ("chrome.exe",),
    BrowserKind.CHROMIUM: ("chromium.exe",),
    BrowserKind.EDGE: ("msedge.exe",),
    BrowserKind.BRAVE: ("brave.exe",),
}
_WINDOWS_PROGRAMS = ("PROGRAMFILES", "PROGRAMFILES(X86)", "LOCALAPPDATA")

# The program below a version's directory in the caches of Playwright and Puppeteer.
_CACHED_PROGRAMS: Mapping[str, tuple[str, str]] = {
    "linux": ("*headless?shell", "chrome"),
    "darwin": ("*headless?shell", "*.app/Contents/MacOS/*"),
    "win32": ("*headless?shell.exe", "chrome.exe"),
}
_INSTALL: Mapping[str, str] = {
    "linux": "install one (Debian: apt install chromium-headless-shell)",
    "darwin": "install one (brew install --cask google-chrome)",
    "win32": "install one (winget install Google.Chrome)",
}
_INSTALL_FOR_A_WINDOW = "install one with a window (Debian: apt install chromium)"
_KIND_BY_WORD: Mapping[str, BrowserKind] = {
    "headless": BrowserKind.HEADLESS_SHELL,
    "chromium": BrowserKind.CHROMIUM,
    "edge": BrowserKind.EDGE,
    "brave": BrowserKind.BRAVE,
    "chrome": BrowserKind.CHROME,
}


def find_browser(
    explicit: str | None,
    *,
    headed: bool = False,
    environment: Mapping[str, str] = os.environ,
    platform: str = sys.platform,
    files: Files = _DISK,
) -> FoundBrowser:
    """Return the browser that was named, or else the first that is there.

    Raises ``NotConnected`` when the named one cannot be executed or has no window although
    ``headed`` asks for one, and when no browser is found.
    """
    if explicit is not None:
        return _named(explicit, headed, environment, platform, files)
    for candidate in candidates(platform, environment, headed=headed):
        for path in _matches(candidate.base, candidate.pattern.split("/"), files):
            return FoundBrowser(path, candidate.kind)
    system = _system(platform)
    install = _INSTALL_FOR_A_WINDOW if headed and system == "linux" else _INSTALL[system]
    raise NotConnected("no browser was found", f"{install} or name one: --browser PATH")


def candidates(
    platform: str, environment: Mapping[str, str], *, headed: bool = False
) -> Iterator[Candidate]:
    """Yield every place to look at, the best first; without reading the disk.

    The headless shell starts fastest and needs no profile, so even a cached one comes before
    the installed browsers; those come before cached copies of the big ones.
    """
    system = _system(platform)
    for kind in BrowserKind:
        if headed and kind is BrowserKind.HEADLESS_SHELL:
            continue
        yield from _installed(system, environment, kind)
        if kind is BrowserKind.HEADLESS_SHELL:
            yield from _cached(system, environment, kind)
    yield from _cached(system, environment, BrowserKind.CHROMIUM)
    yield from _cached(system, environment, BrowserKind.CHROME)


def _system(platform: str) -> str:
    """Return the system whose table serves; other Unixes are laid out like Linux."""
    return platform if platform in ("darwin", "win32") else "linux"


def _installed(
    system: str, environment: Mapping[str, str], kind: BrowserKind
) -> Iterator[Candidate]:
    windows = system == "win32"
    places = {"linux": _LINUX_PLACES, "darwin": _MACOS_PLACES, "win32": _WINDOWS_PLACES}[system]
    for pattern in places.get(kind, ()):
        for base in _program_directories(system, environment):
            yield Candidate(kind, base, pattern)
    for command in (_WINDOWS_COMMANDS if windows else _COMMANDS)[kind]:
        for base in _search_path(system, environment):
            yield Candidate(kind, base, command)
    if system == "linux":
        for pattern in _LINUX_SNAPS.get(kind, ()):
            yield Candidate(kind, PurePosixPath("/"), pattern)


def _program_directories(system: str, environment: Mapping[str, str]) -> Iterator[PurePath]:
    if system == "win32":
        for variable in _WINDOWS_PROGRAMS:
            if environment.get(variable):
                yield PureWindowsPath(environment[variable])
    elif system == "darwin":
        yield PurePosixPath("/Applications")
        if environment.get("HOME"):
            yield PurePosixPath(environment["HOME"], "Applications")
    else:
        yield PurePosixPath("/")


def _search_path(system: str, environment: Mapping[str, str]) -> Iterator[PurePath]:
    """Yield the absolute directories of PATH: the working directory is no place for programs."""
    pure, separator = (PureWindowsPath, ";") if system == "win32" else (PurePosixPath, ":")
    for text in environment.get("PATH", "").split(separator):
        directory = pure(text)
        if directory.is_absolute():
            yield directory


def _cached(system: str, environment: Mapping[str, str], kind: BrowserKind) -> Iterator[Candidate]:
    """Yield where Playwright and Puppeteer keep downloads: ``NAME-REVISION/PLATFORM/program``."""
    shell, browser = _CACHED_PROGRAMS[system]
    headless = kind is BrowserKind.HEADLESS_SHELL
    program = shell if headless else browser
    if kind is not BrowserKind.CHROME:
        name = "chromium_headless_shell" if headless else "chromium"
        for base in _playwright_caches(system, environment):
            yield Candidate(kind, base, f"{name}-*/*/{program}")
    if kind is not BrowserKind.CHROMIUM:
        name = "chrome-headless-shell" if headless else "chrome"
        for base in _puppeteer_caches(system, environment):
            yield Candidate(kind, base, f"{name}/*/*/{program}")


def _playwright_caches(system: str, environment: Mapping[str, str]) -> Iterator[PurePath]:
    pure = PureWindowsPath if system == "win32" else PurePosixPath
    told = environment.get("PLAYWRIGHT_BROWSERS_PATH", "")
    if told not in ("", "0"):  # "0" stands for a directory inside some node_modules
        yield pure(told)
    home = environment.get("HOME", "")
    if system == "win32":
        parent = environment.get("LOCALAPPDATA", "")
    elif system == "darwin":
        parent = home and f"{home}/Library/Caches"
    else:
        parent = environment.get("XDG_CACHE_HOME") or (home and f"{home}/.cache")
    if parent:
        yield pure(parent, "ms-playwright")


def _puppeteer_caches(system: str, environment: Mapping[str, str]) -> Iterator[PurePath]:
    pure = PureWindowsPath if system == "win32" else PurePosixPath
    told = environment.get("PUPPETEER_CACHE_DIR")
    if told:
        yield pure(told)
    home = environment.get("USERPROFILE" if system == "win32" else "HOME")
    if home:
        yield pure(home, ".cache", "puppeteer")


def _matches(directory: PurePath, parts: Sequence[str], files: Files) -> Iterator[str]:
    """Yield the programs that fit, those in the directory of the newest version first."""
    name, rest = parts[0], parts[1:]
    names: Sequence[str] = [name]
    if "*" in name:
        fitting = [entry for entry in files.names(str(directory)) if fnmatchcase(entry, name)]
        names = sorted(fitting, key=_version, reverse=True)
    for entry in names:
        path = directory / entry
        if rest:
            yield from _matches(path, rest, files)
        elif files.is_program(str(path)):
            yield str(path)


def _version(name: str) -> tuple[int, ...]:
    """Return the numbers behind the last hyphen, as in ``linux-131.0.6778.85``."""
    return tuple(int(number) for number in re.findall(r"[0-9]+", name.rpartition("-")[2]))


def _named(
    explicit: str, headed: bool, environment: Mapping[str, str], platform: str, files: Files
) -> FoundBrowser:
    path = _named_program(explicit, environment, platform, files)
    words = (kind for word, kind in _KIND_BY_WORD.items() if word in PurePath(path).name.lower())
    # A name that says nothing gets a profile, which every browser accepts.
    found = FoundBrowser(path, next(words, BrowserKind.CHROMIUM))
    if headed and found.kind is BrowserKind.HEADLESS_SHELL:
        raise NotConnected(
            f"{path} has no window to show", "leave out --headed, or name another: --browser PATH"
        )
    return found


def _named_program(
    explicit: str, environment: Mapping[str, str], platform: str, files: Files
) -> str:
    """Return the program that was named by its path, or by a command that PATH knows."""
    system = _system(platform)
    pure = PureWindowsPath if system == "win32" else PurePosixPath
    if explicit and len(pure(explicit).parts) == 1:
        for directory in _search_path(system, environment):
            path = str(directory / explicit)
            if files.is_program(path):
                return path
    if not explicit or not files.is_program(explicit):
        raise NotConnected(
            f'there is no program to execute at "{explicit}"',
            "name the browser's program file: --browser PATH, or leave it out to search for one",
        )
    return explicit if pure(explicit).is_absolute() else str(Path(explicit).absolute())
