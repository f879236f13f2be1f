"""Big pages for measuring, made on demand into a folder: none of them is kept in the project."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

__all__ = ["LARGE", "MEDIUM", "nested_links"]

MEDIUM = (50, 100)
"""Sections and links in each for 5,000 links: about 30,000 nodes of Chromium's full tree."""

LARGE = (200, 100)
"""Sections and links in each for 20,000 links: about 120,000 nodes of Chromium's full tree."""


def nested_links(folder: Path, sections: int, links: int) -> Path:
    """Write a page with ``links`` links in a list inside each of ``sections`` items of a list.

    The links are numbered over the whole page (``Link 0`` to ``Link N-1``), their section stands
    in their label, and one label, ``Needle in the middle``, is there once. Returns the file,
    ``links-N.html``, whose size is about 45 bytes a link.
    """
    path = folder / f"links-{sections * links}.html"
    path.write_text("".join(_page(sections, links)), encoding="utf-8")
    return path


def _page(sections: int, links: int) -> Iterator[str]:
    total = sections * links
    yield f"<!doctype html><html lang=en><meta charset=utf-8><title>{total} links</title>\n"
    yield "<h1>Links</h1><main aria-label=Contents><ul aria-label=Sections>\n"
    for section in range(sections):
        yield f"<li><h2>Section {section}</h2><ul aria-label='Links of section {section}'>\n"
        for number in range(section * links, (section + 1) * links):
            label = (
                "Needle in the middle" if number == total // 2 else f"Link {number} of {section}"
            )
            yield f"<li><a href='#{number}'>{label}</a></li>\n"
        yield "</ul></li>\n"
    yield "</ul></main><footer><button>Last button</button></footer></html>\n"
