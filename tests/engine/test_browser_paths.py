from __future__ import annotations

import os
from pathlib import Path, PurePath, PureWindowsPath

import pytest

from domsh_repl.engine.browser_paths import (
    BrowserKind,
    FoundBrowser,
    candidates,
    find_browser,
)
from domsh_repl.errors import NotConnected


class Tree:
    """A disk of any system, seen through a directory of this one."""

    def __init__(self, root: Path, *, windows: bool = False) -> None:
        self.root = root
        self.windows = windows

    def add(self, *programs: str) -> Tree:
        for program in programs:
            place = self._place(program)
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text("#!/bin/sh\n")
            place.chmod(0o755)
        return self

    def is_program(self, path: str) -> bool:
        place = self._place(path)
        return place.is_file() and os.access(place, os.X_OK)

    def names(self, directory: str) -> list[str]:
        place = self._place(directory)
        return sorted(entry.name for entry in place.iterdir()) if place.is_dir() else []

    def _place(self, path: str) -> Path:
        pure: PurePath = PureWindowsPath(path) if self.windows else Path(path)
        assert pure.is_absolute(), path
        return self.root.joinpath(*pure.parts[1:])


LINUX = {"PATH": "/usr/local/bin:/usr/bin", "HOME": "/home/ada"}
MACOS = {"PATH": "/usr/bin", "HOME": "/Users/ada"}
WINDOWS = {
    "PATH": r"C:\Windows;D:\tools",
    "PROGRAMFILES": r"C:\Program Files",
    "PROGRAMFILES(X86)": r"C:\Program Files (x86)",
    "LOCALAPPDATA": r"C:\Users\ada\AppData\Local",
    "USERPROFILE": r"C:\Users\ada",
}
CACHED_ON_WINDOWS = r"C:\Users\ada\AppData\Local\ms-playwright"
PLAYWRIGHT = "/home/ada/.cache/ms-playwright"
PUPPETEER = "/home/ada/.cache/puppeteer"


def on_linux(tree: Tree, *, headed: bool = False, **more: str) -> FoundBrowser:
    return find_browser(
        None, headed=headed, environment={**LINUX, **more}, platform="linux", files=tree
    )


def on_macos(tree: Tree, *, headed: bool = False) -> FoundBrowser:
    return find_browser(None, headed=headed, environment=MACOS, platform="darwin", files=tree)


def on_windows(tree: Tree, *, headed: bool = False) -> FoundBrowser:
    return find_browser(None, headed=headed, environment=WINDOWS, platform="win32", files=tree)


def test_debians_wrapper_script_is_passed_over_for_the_program_behind_it(tmp_path: Path) -> None:
    tree = Tree(tmp_path).add("/usr/bin/chromium-headless-shell")
    assert on_linux(tree).path == "/usr/bin/chromium-headless-shell"
    tree.add("/usr/lib/chromium/chromium-headless-shell")
    assert on_linux(tree) == FoundBrowser(
        "/usr/lib/chromium/chromium-headless-shell", BrowserKind.HEADLESS_SHELL
    )


def test_a_window_is_never_asked_of_the_headless_shell(tmp_path: Path) -> None:
    tree = Tree(tmp_path).add(
        "/usr/lib/chromium/chromium-headless-shell",
        "/usr/bin/chromium",
        "/opt/brave.com/brave/brave",
    )
    assert on_linux(tree, headed=True) == FoundBrowser("/usr/bin/chromium", BrowserKind.CHROMIUM)


@pytest.mark.parametrize(
    ("program", "kind"),
    [
        ("/usr/lib64/chromium-browser/headless_shell", BrowserKind.HEADLESS_SHELL),
        ("/usr/local/bin/chrome-headless-shell", BrowserKind.HEADLESS_SHELL),
        ("/opt/google/chrome/chrome", BrowserKind.CHROME),
        ("/usr/bin/google-chrome", BrowserKind.CHROME),
        ("/usr/lib/chromium/chromium", BrowserKind.CHROMIUM),
        ("/usr/bin/chromium-browser", BrowserKind.CHROMIUM),
        ("/snap/bin/chromium", BrowserKind.CHROMIUM),
        ("/usr/bin/microsoft-edge", BrowserKind.EDGE),
        ("/usr/bin/brave-browser", BrowserKind.BRAVE),
    ],
)
def test_linux_has_its_browsers_in_these_places(
    tmp_path: Path, program: str, kind: BrowserKind
) -> None:
    assert on_linux(Tree(tmp_path).add(program)) == FoundBrowser(program, kind)


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("Google Chrome", BrowserKind.CHROME),
        ("Chromium", BrowserKind.CHROMIUM),
        ("Microsoft Edge", BrowserKind.EDGE),
        ("Brave Browser", BrowserKind.BRAVE),
    ],
)
@pytest.mark.parametrize("directory", ["/Applications", "/Users/ada/Applications"])
def test_macos_has_its_browsers_in_bundles(
    tmp_path: Path, directory: str, name: str, kind: BrowserKind
) -> None:
    program = f"{directory}/{name}.app/Contents/MacOS/{name}"
    assert on_macos(Tree(tmp_path).add(program)) == FoundBrowser(program, kind)


def test_macos_keeps_the_caches_in_library_and_in_cache(tmp_path: Path) -> None:
    tree = Tree(tmp_path)
    testing = "Google Chrome for Testing.app/Contents/MacOS/Google Chrome for Testing"
    chrome = f"/Users/ada/.cache/puppeteer/chrome/mac_arm-131.0.1/chrome-mac-arm64/{testing}"
    assert on_macos(tree.add(chrome), headed=True) == FoundBrowser(chrome, BrowserKind.CHROME)
    chromium = (
        "/Users/ada/Library/Caches/ms-playwright/chromium-1169/chrome-mac"
        "/Chromium.app/Contents/MacOS/Chromium"
    )
    assert on_macos(tree.add(chromium)) == FoundBrowser(chromium, BrowserKind.CHROMIUM)
    shell = (
        "/Users/ada/Library/Caches/ms-playwright/chromium_headless_shell-1200"
        "/chrome-headless-shell-mac-arm64/chrome-headless-shell"
    )
    assert on_macos(tree.add(shell)) == FoundBrowser(shell, BrowserKind.HEADLESS_SHELL)


@pytest.mark.parametrize(
    ("program", "kind"),
    [
        (r"C:\Program Files\Google\Chrome\Application\chrome.exe", BrowserKind.CHROME),
        (r"C:\Users\ada\AppData\Local\Chromium\Application\chrome.exe", BrowserKind.CHROMIUM),
        (r"C:\Program Files (x86)\Microsoft\Edge\Application\msedge.exe", BrowserKind.EDGE),
        (
            r"C:\Program Files\BraveSoftware\Brave-Browser\Application\brave.exe",
            BrowserKind.BRAVE,
        ),
        (r"D:\tools\chrome-headless-shell.exe", BrowserKind.HEADLESS_SHELL),
        (
            CACHED_ON_WINDOWS + r"\chromium_headless_shell-1169\chrome-win\headless_shell.exe",
            BrowserKind.HEADLESS_SHELL,
        ),
        (
            r"C:\Users\ada\.cache\puppeteer\chrome\win64-131.0.6778.85\chrome-win64\chrome.exe",
            BrowserKind.CHROME,
        ),
    ],
)
def test_windows_has_its_browsers_in_these_places(
    tmp_path: Path, program: str, kind: BrowserKind
) -> None:
    assert on_windows(Tree(tmp_path, windows=True).add(program)) == FoundBrowser(program, kind)


def test_the_newest_cached_version_wins_by_number_not_by_spelling(tmp_path: Path) -> None:
    tree = Tree(tmp_path).add(
        f"{PLAYWRIGHT}/chromium_headless_shell-999/chrome-linux/headless_shell",
        f"{PLAYWRIGHT}/chromium_headless_shell-1169/chrome-linux/headless_shell",
    )
    old = f"{PLAYWRIGHT}/chromium_headless_shell-1169/chrome-linux/headless_shell"
    assert on_linux(tree).path == old
    cached = f"{PLAYWRIGHT}/chromium_headless_shell-1200"
    new = f"{cached}/chrome-headless-shell-linux64/chrome-headless-shell"
    assert on_linux(tree.add(new)).path == new


def test_puppeteers_versions_are_compared_part_by_part(tmp_path: Path) -> None:
    place = PUPPETEER + "/chrome-headless-shell/linux-{}/chrome-headless-shell-linux64"
    programs = [
        f"{place}/chrome-headless-shell".format(v) for v in ("131.0.6778.9", "131.0.6778.85")
    ]
    assert on_linux(Tree(tmp_path).add(*programs)).path == programs[1]


def test_a_directory_that_playwright_was_told_comes_before_its_own(tmp_path: Path) -> None:
    program = "chromium_headless_shell-1/chrome-linux/headless_shell"
    tree = Tree(tmp_path).add(f"{PLAYWRIGHT}/{program}", f"/srv/browsers/{program}")
    told = on_linux(tree, PLAYWRIGHT_BROWSERS_PATH="/srv/browsers")
    assert told.path == f"/srv/browsers/{program}"
    assert on_linux(tree, PLAYWRIGHT_BROWSERS_PATH="0").path == f"{PLAYWRIGHT}/{program}"


def test_a_cached_headless_shell_comes_before_chrome_and_a_cached_chrome_after(
    tmp_path: Path,
) -> None:
    shell = f"{PLAYWRIGHT}/chromium_headless_shell-1/chrome-linux/headless_shell"
    tree = Tree(tmp_path).add(
        shell, "/usr/bin/brave", f"{PLAYWRIGHT}/chromium-1/chrome-linux/chrome"
    )
    assert on_linux(tree).path == shell
    assert on_linux(tree, headed=True).path == "/usr/bin/brave"


def test_no_place_is_relative_whatever_path_holds() -> None:
    environment = {**LINUX, "PATH": ":.:bin:/usr/bin"}
    bases = {candidate.base for candidate in candidates("linux", environment)}
    assert all(base.is_absolute() for base in bases)


def test_a_file_that_is_not_executable_is_no_browser(tmp_path: Path) -> None:
    program = tmp_path / "chromium"
    program.write_text("")
    with pytest.raises(NotConnected) as caught:
        find_browser(str(program))
    assert str(program) in caught.value.message
    program.chmod(0o755)
    assert find_browser(str(program)) == FoundBrowser(str(program), BrowserKind.CHROMIUM)


def test_a_missing_browser_that_was_named_is_told_by_its_name() -> None:
    with pytest.raises(NotConnected) as caught:
        find_browser("/no/such/chrome")
    assert '"/no/such/chrome"' in caught.value.message
    assert "--browser PATH" in caught.value.hint


def test_a_browser_can_be_named_by_its_command(tmp_path: Path) -> None:
    tree = Tree(tmp_path).add("/usr/bin/brave")
    found = find_browser("brave", environment=LINUX, platform="linux", files=tree)
    assert found == FoundBrowser("/usr/bin/brave", BrowserKind.BRAVE)


def test_a_named_headless_shell_cannot_be_asked_for_a_window(tmp_path: Path) -> None:
    tree = Tree(tmp_path).add("/x/headless_shell")
    with pytest.raises(NotConnected, match="no window"):
        find_browser(
            "/x/headless_shell", headed=True, environment=LINUX, platform="linux", files=tree
        )


@pytest.mark.parametrize(
    ("platform", "headed", "words"),
    [
        ("linux", False, "apt install chromium-headless-shell"),
        ("linux", True, "apt install chromium)"),
        ("darwin", False, "brew install --cask"),
        ("win32", False, "winget install"),
    ],
)
def test_where_nothing_is_found_the_hint_says_what_to_install(
    tmp_path: Path, platform: str, headed: bool, words: str
) -> None:
    with pytest.raises(NotConnected) as caught:
        find_browser(None, headed=headed, environment={}, platform=platform, files=Tree(tmp_path))
    assert words in caught.value.hint
    assert "--browser PATH" in caught.value.hint
