"""How much the lazy tree saves: levels and a search beside a reading of the whole tree.

Run it by hand: ``python -m tests.bench.levels [SECTIONS LINKS]``. It prints medians in
milliseconds and how many times each is faster than ``Accessibility.getFullAXTree`` of the same
page in the same browser. On 5,000 links levels should be at least 20 times faster, a search with
one match at least 10 times.
"""

from __future__ import annotations

import asyncio
import statistics
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

from domsh_repl.engine.engine import BrowserOptions, Engine
from tests.bench.pages import MEDIUM, nested_links
from tests.site_server import serving

_REPEATS = 7


async def _measured(work: Callable[[], Awaitable[object]], repeats: int = _REPEATS) -> float:
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        await work()
        times.append(1000 * (time.perf_counter() - start))
    return statistics.median(times)


def _lines(sections: int, links: int) -> dict[str, str]:
    section = f"/contents/sections/listitem_{sections // 2}/links_of_section_{sections // 2 - 1}"
    last = f"{section}/listitem_{links // 2}/link_*"
    return {
        "ls of a section": f"ls {section}",
        "cd into a section": f"cd {section}",
        "cat of a link": f"cat {last}",
        "click on a link": f"click {last}",
        "find with one match": 'find / --label "Needle in the"',
        "find by name": "find / --name needle_in_*",
        "grep -r, one match": "grep -r ^Needle /",
        'cat "LABEL"': "cat --escaped /%22Needle%20in%20the%20middle%22",
        "ls, cold levels": f"ls {section}",
    }


async def _run(url: str, sections: int, links: int) -> None:
    engine = Engine(BrowserOptions())
    await engine.start()
    try:
        lane = await engine.lane("new")
        name = str(lane.id)
        opened = await engine.execute(f"navigate {url}", name)
        assert not opened.failed, opened.text
        store = engine.vocabulary._desk(lane.page).tree.store

        async def whole() -> None:
            await lane.page.main.call("Accessibility.getFullAXTree")

        full = await _measured(whole, 3)
        print(f"{'the whole tree':<24}{full:10.1f} ms")
        for title, line in _lines(sections, links).items():

            async def command(line: str = line, *, cold: bool = "cold" in title) -> None:
                if cold:
                    store.clear()
                reply = await engine.execute(line, name)
                assert not reply.failed, reply.text

            took = await _measured(command)
            print(f"{title:<24}{took:10.1f} ms {full / took:8.0f} times faster")
    finally:
        await engine.close()


def main() -> None:
    """Measure and print."""
    sections, links = map(int, sys.argv[1:3]) if len(sys.argv) > 2 else MEDIUM
    with tempfile.TemporaryDirectory() as folder:
        page = nested_links(Path(folder), sections, links)
        with serving(Path(folder)) as url:
            print(f"{sections * links} links in {sections} lists; medians of {_REPEATS}")
            asyncio.run(_run(f"{url}/{page.name}", sections, links))


if __name__ == "__main__":
    main()
