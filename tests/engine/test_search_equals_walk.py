"""``find`` and ``grep -r`` scan in the page; what they return must be what a walk returns."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from domsh_repl.engine.query import Query
from domsh_repl.engine.search import Search
from domsh_repl.engine.tree import Spot
from domsh_repl.errors import Stale, UsageError
from domsh_repl.patterns import compile_pattern
from domsh_repl.roles import FRAMES
from tests.conftest import EngineRunner, LaneRunner
from tests.engine.walking import (
    QUIET_PAGES,
    all_below,
    expected,
    open_page,
    script,
)
from tests.site_server import serving

_QUERIES_A_PAGE = 60
_DIRECTORIES_A_PAGE = 4
_EXPRESSIONS = (
    r"^$", r"\d", r"_2$", r"^[A-Z]+$", r".", r"link|button", r"^para", r"[aeiou]{2}", r"e.*e",
    r"_(btn|link)$", r"\bin\b", r"^\d+\. $", r"[•◦▪]", r"(?i)STAR", r"_1?2$", r"^\w+_\d$", r"  ",
    r"listitem_1", r"StaticText", r"\S\s\S",
)  # fmt: skip


@pytest.mark.parametrize("page", QUIET_PAGES)
def test_a_search_returns_what_a_walk_returns(lane: LaneRunner, pages: str, page: str) -> None:
    open_page(lane, f"{pages}/{page}")
    lane.run(_compare(lane, page))


def test_a_search_looks_into_frames_of_other_processes(
    tmp_path: Path, pages: str, isolated_engine: EngineRunner
) -> None:
    (tmp_path / "outer.html").write_text(_with_frame(pages.replace("127.0.0.1", "localhost")))
    lane = LaneRunner(isolated_engine)
    with serving(tmp_path) as url:
        open_page(lane, f"{url}/outer.html")
        assert lane.lane.page.frames.by_frame, "the frame has a process of its own"
        assert script(lane, "frames[0].length") == 2
        lane.run(_compare(lane, "outer"))
        found = lane.value("find --label Inner --type button").matches
    assert [match.path for match in found] == [
        "/other_site/my_frame/inner_button_btn",
        "/other_site/Iframe_2/inner_button_btn",
    ]


def test_a_search_looks_into_nested_frames_of_one_process(
    tmp_path: Path, lane: LaneRunner, pages: str
) -> None:
    (tmp_path / "outer.html").write_text(_with_frame(pages))
    with serving(tmp_path) as url:
        open_page(lane, f"{url}/outer.html")
        lane.run(_compare(lane, "outer"))
        assert len(lane.value("find --label Inner --type button").matches) == 2


def test_many_candidates_give_the_same_as_few(served: tuple[Path, str], lane: LaneRunner) -> None:
    folder, url = served
    items = "".join(f"<li><a href='#{n}'>Item {n % 40}</a></li>" for n in range(900))
    (folder / "many.html").write_text(f"<ul aria-label=All>{items}</ul>")
    open_page(lane, f"{url}/many.html")
    queries = [Query(label="item"), Query(role="link"), Query(name="*_link"), Query(label="m 7")]
    lane.run(_compare_all(lane, "many", queries))


def test_a_browser_that_computes_no_names_for_the_page_is_walked(
    lane: LaneRunner, pages: str
) -> None:
    open_page(lane, f"{pages}/form.html")
    search = Search(lane.lane.page, lane.desk.tree, names_computed=False)
    top = lane.run(lane.desk.tree.root())
    for query in (Query(label="e"), Query(role="button"), Query(name="*_btn"), Query(css="input")):
        found = lane.run(search.find(top, query)).spots
        assert found == lane.run(lane.desk.search.find(top, query)).spots
        assert found


@pytest.mark.parametrize("selector", ["<", "a:nosuch", "["])
def test_what_is_no_selector_is_a_usage_error(lane: LaneRunner, pages: str, selector: str) -> None:
    open_page(lane, f"{pages}/form.html")
    with pytest.raises(UsageError):
        lane.value(f'find / --css "{selector}"')


@pytest.fixture
def kept(engine: EngineRunner, pages: str, request: pytest.FixtureRequest) -> Iterator[LaneRunner]:
    lane = LaneRunner(engine)
    open_page(lane, f"{pages}/{request.param}")
    yield lane
    lane.close()


_TEXT = st.text("abcdeioPrstu 1259_.-•é日★ß\n", min_size=1, max_size=4)
_EXPRESSION = st.lists(
    st.one_of(
        _TEXT.map(re.escape),
        st.sampled_from(
            [".", "^", "$", "a|b", "[a-m]", "[^ ]", r"\d", r"\w", "e?", "o*", "t+", "s{2}", "(b)"]
        ),
    ),
    min_size=1,
    max_size=3,
).map("".join)
_QUERY = st.one_of(
    st.builds(Query, label=_TEXT),
    st.builds(Query, folded_label=_TEXT),
    st.builds(lambda glob: Query(name=glob), st.text("abceiklnt_*?[]123", min_size=1, max_size=5)),
    st.tuples(
        _EXPRESSION,
        st.booleans(),
    ),
)  # fmt: skip


@pytest.mark.parametrize("kept", ["generated.html", "lists.html", "widgets.html"], indirect=True)
@settings(
    max_examples=60,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(made_up=_QUERY)
def test_made_up_queries_return_what_a_walk_returns(
    kept: LaneRunner, made_up: Query | tuple[str, bool]
) -> None:
    if isinstance(made_up, tuple):  # the library that compiles must not run inside a strategy
        made_up = Query(pattern=compile_pattern(made_up[0], ignore_case=made_up[1]))
    kept.run(_compare_all(kept, "made up", [made_up]))


def _with_frame(site: str) -> str:
    return (
        "<!doctype html><title>Outer</title><h1>Outer</h1><button>Outer button</button>"
        f"<iframe src='{site}/frame.html' title='Other site' width=600 height=500></iframe>"
    )


async def _compare(lane: LaneRunner, page: str) -> None:
    """Compare a page's own words, names and roles, below the root and some directories."""
    await lane.desk.tree.validate()
    top = await lane.desk.tree.root()
    walked = await all_below(lane, top)
    queries = _queries(walked, random.Random(page))
    await _compare_all(lane, page, queries)
    directories = [spot for spot in walked if await lane.desk.tree.enterable(spot)]
    chosen = random.Random(page).sample(directories, min(_DIRECTORIES_A_PAGE, len(directories)))
    chosen += [spot for spot in directories if spot.node.role in FRAMES][:2]
    for directory in chosen:
        await _compare_all(lane, page, queries[:12], directory)


async def _compare_all(
    lane: LaneRunner, page: str, queries: Sequence[Query], top: Spot | None = None
) -> None:
    await lane.desk.tree.validate()
    root = await lane.desk.tree.root()
    where = root if top is None else top
    walked = await all_below(lane, root)
    for query in queries:
        found = [spot.path for spot in (await lane.desk.search.find(where, query)).spots]
        wanted = await expected(lane, walked, where, query)
        assert found == wanted, f"{page} {where.path} {query}"


def _queries(walked: Sequence[Spot], choice: random.Random) -> list[Query]:
    labels = sorted({spot.node.name for spot in walked if spot.node.name})
    names = sorted({spot.entries[-1].name for spot in walked})
    roles = sorted({spot.node.role for spot in walked})
    words = sorted({word for label in labels for word in re.findall(r"\w+", label)} | {"e", "1"})
    states = ["checked", "disabled", "focused", "expanded", "selected", "current", "invalid"]
    made = [
        *(Query(label=label) for label in labels),
        *(Query(folded_label=label) for label in labels),
        *(Query(folded_label=label.upper()) for label in labels),
        *(Query(exact_label=label) for label in labels),
        *(Query(label=word[1:4] or word) for word in words),
        *(Query(name=name) for name in names),
        *(Query(name=f"*{name[2:6]}*") for name in names),
        *(Query(name=f"{name[:3]}?{name[4:]}") for name in names),
        *(Query(pattern=compile_pattern(re.escape(word))) for word in words),
        *(Query(pattern=compile_pattern(word.upper(), ignore_case=True)) for word in words),
        *(Query(role=role, label=words[0]) for role in roles),
        *(Query(state=state) for state in states),
        *(Query(css=css) for css in ("button", "[aria-label]", "li > *", ":first-child")),
        Query(css="button", role="button"),
        Query(pattern=compile_pattern("e"), inverted=True),
    ]
    always = [
        *(Query(role=role) for role in roles),
        *(Query(pattern=compile_pattern(source)) for source in _EXPRESSIONS),
    ]
    chosen = choice.sample(made, min(_QUERIES_A_PAGE, len(made)))
    return [*chosen, *always]


def test_what_is_rebuilt_all_the_time_is_never_reported_absent(
    lane: LaneRunner, served: tuple[Path, str]
) -> None:
    folder, url = served
    (folder / "index.html").write_text(
        "<!doctype html><title>R</title><div id=r></div><script>const f=()=>{r.innerHTML="
        "'<main><p>x <b>y</b></p><button>Alpha</button></main>'};f();setInterval(f,40)</script>"
    )
    lane.value(f"navigate {url}/index.html")
    answers = 0
    for _ in range(40):
        for line in ("find --type button", "grep -r Alpha", "find --label Alpha"):
            try:
                assert lane.value(line).matches
                answers += 1
            except Stale:  # honest: it could not be looked at
                continue
    assert answers > 60
