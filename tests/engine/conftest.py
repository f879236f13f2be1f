"""Fixtures of the engine's tests: a page made of a line of markup, and a server of odd answers."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from domsh_repl.engine.engine import BrowserOptions
from tests.conftest import EngineRunner, LaneRunner
from tests.odd_server import odd_server

Show = Callable[..., str]


@pytest.fixture
def shown(served: tuple[Path, str], lane: LaneRunner) -> Show:
    """Call it with markup to have a page of it in the lane; gives the site's address."""
    folder, url = served

    def show(markup: str, name: str = "index.html") -> str:
        page = f"<!doctype html><html lang=en><meta charset=utf-8><title>Test</title>{markup}"
        (folder / name).write_text(page, encoding="utf-8")
        lane.value(f"navigate {url}/{name}")
        return url

    return show


@pytest.fixture(scope="session")
def odd() -> Iterator[str]:
    """Give the address of a server that answers late, with redirects, downloads or not at all."""
    with odd_server() as url:
        yield url


@pytest.fixture(scope="session")
def isolated_engine() -> Iterator[EngineRunner]:
    """Run an engine whose frames of other sites live in processes of their own."""
    runner = EngineRunner(BrowserOptions(flags=("--site-per-process",)))
    yield runner
    runner.close()
