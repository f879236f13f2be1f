"""Checks of what DOMShell's own server needs: Node, npx, and the package itself.

npm would write logs, a cache and its notes of when it last looked for a newer self. It is
told to leave that, and its cache is a temporary folder; the user's cache is read from disk.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import sys
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path

from domsh_repl.doctor.chain import Chain
from domsh_repl.doctor.programs import said_by
from domsh_repl.errors import DomshError, NotConnected
from domsh_repl.link.greeting import OLDEST_SERVER, numbers_of
from domsh_repl.link.npm_server import PACKAGE
from domsh_repl.link.stdio_server import program_of
from domsh_repl.safetext import one_line

__all__ = ["check_node", "check_npx", "check_package", "installed_versions"]

_SECONDS = 8.0
_REGISTRY_SECONDS = 5.0
_OLDEST_NODE = (18,)
_INSTALL_NODE = "install Node.js 18 or newer with npm: `domsh --server domshell` alone needs it"
_INSTALL_PACKAGE = f"`npm install -g {PACKAGE}`"
_CACHE_SETTING = re.compile(r"^\s*cache\s*=\s*(.+?)\s*$", re.MULTILINE)


async def check_node(chain: Chain) -> None:
    """Tell the version of Node; raises ``NotConnected`` for none, or one that is too old."""
    version = await said_by([_program("node"), "--version"], _SECONDS)
    if numbers_of(version) < _OLDEST_NODE:
        raise NotConnected(f"{version} is too old for DOMShell's server", _INSTALL_NODE)
    chain.ok(version)


async def check_npx(chain: Chain) -> None:
    """Tell the version of npx; raises ``NotConnected`` for none."""
    with tempfile.TemporaryDirectory(prefix="domsh-") as folder:
        chain.ok(await said_by([_program("npx"), "--version"], _SECONDS, _quiet(folder)))


async def check_package(chain: Chain) -> None:
    """Tell which versions of DOMShell's package are installed, and the newest one of all.

    Raises ``NotConnected`` where the installed one is too old, or none is there or to be had.
    """
    npm = _program("npm")
    with tempfile.TemporaryDirectory(prefix="domsh-") as folder:
        quiet = _quiet(folder)
        root, newest = await asyncio.gather(
            said_by([npm, "root", "-g"], _SECONDS, quiet), _newest(npm, quiet)
        )
    versions = await asyncio.to_thread(installed_versions, root, os.environ)
    if versions:
        _tell_installed(chain, versions, newest)
    elif newest:
        get = f"{_INSTALL_PACKAGE}, or let `domsh --server domshell` get it with npx"
        chain.skip(f"not installed; the newest is {newest}", get)
    else:
        raise NotConnected("not installed, and npm's registry does not answer", _INSTALL_PACKAGE)


def _tell_installed(chain: Chain, versions: Mapping[str, str], newest: str) -> None:
    told = ", ".join(f"{version} {place}" for place, version in versions.items())
    others = set(versions.values()) != {newest}
    found = f"{told}; the newest is {newest}" if newest and others else told
    if all(numbers_of(version) < OLDEST_SERVER for version in versions.values()):
        oldest = ".".join(map(str, OLDEST_SERVER))
        raise NotConnected(f"{found}; {oldest} or newer is needed", _INSTALL_PACKAGE)
    chain.ok(found)


async def _newest(npm: str, environment: Mapping[str, str]) -> str:
    """Return the registry's newest version, "" when it does not say so in time."""
    command = [npm, "view", PACKAGE, "version", "--fetch-retries=0"]
    try:
        version = await said_by(command, _REGISTRY_SECONDS, environment)
    except DomshError:
        return ""
    return version if numbers_of(version) else ""


def installed_versions(global_root: str, environment: Mapping[str, str]) -> dict[str, str]:
    """Return the version by the place where it is, in words; looks at the disk only."""
    versions = {}
    installed = _version_in(Path(global_root))
    if installed:
        versions["installed globally"] = installed
    cached = [version for root in _npx_roots(environment) if (version := _version_in(root))]
    if cached:
        versions["in npx's cache"] = max(cached, key=numbers_of)
    return versions


def _version_in(node_modules: Path) -> str:
    try:
        told = json.loads((node_modules / PACKAGE / "package.json").read_text(encoding="utf-8"))
        return one_line(str(told["version"]), 40)
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return ""


def _npx_roots(environment: Mapping[str, str]) -> Iterator[Path]:
    try:
        yield from (_npm_cache(environment) / "_npx").glob("*/node_modules")
    except (OSError, RuntimeError):  # no such folder, no home
        return


def _npm_cache(environment: Mapping[str, str]) -> Path:
    """Return npm's cache: of the environment, else of the user's ``.npmrc``, else the default.

    Asking npm would make the folder where there is none.
    """
    named = {name.lower(): value for name, value in environment.items()}
    told = named.get("npm_config_cache") or _told_in(
        named.get("npm_config_userconfig") or "~/.npmrc"
    )
    if told:
        return Path(os.path.expandvars(told)).expanduser()
    if sys.platform == "win32":
        return Path(environment.get("LOCALAPPDATA", "~")).expanduser() / "npm-cache"
    return Path("~/.npm").expanduser()


def _told_in(settings: str) -> str:
    try:
        found = _CACHE_SETTING.search(Path(settings).expanduser().read_text(encoding="utf-8"))
    except (OSError, ValueError, RuntimeError):
        return ""
    return found[1] if found else ""


def _program(name: str) -> str:
    try:
        return program_of(name)
    except NotConnected as error:
        raise NotConnected(error.message, _INSTALL_NODE) from error


def _quiet(folder: str) -> dict[str, str]:
    """Return our environment in which npm leaves its files in a folder of ours."""
    return {
        **{name: value for name, value in os.environ.items() if name.lower() != "npm_config_cache"},
        "npm_config_cache": folder,
        "npm_config_logs_max": "0",
        "npm_config_update_notifier": "false",
        "NODE_DISABLE_COMPILE_CACHE": "1",
    }
