"""The grammar of paths: what each form means, and that texts and paths round-trip."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domsh_repl.errors import UsageError
from domsh_repl.paths import Path, Segment, SegmentKind, split_names

NAME, INDEX, GLOB = SegmentKind.NAME, SegmentKind.INDEX, SegmentKind.GLOB
ANY_DEPTH, PARENT, QUOTED = SegmentKind.ANY_DEPTH, SegmentKind.PARENT, SegmentKind.QUOTED

names = st.text(
    st.characters(exclude_characters='/"*?[]\\~@', exclude_categories=["Cs"]), min_size=1
)
plain_names = names.filter(lambda name: name not in (".", ".."))


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("save_btn", [NAME]),
        ("main_1/form_1", [NAME, NAME]),
        ("button[2]", [INDEX]),
        ("main[0]/form[0]", [INDEX, INDEX]),
        ("*_btn", [GLOB]),
        ("[ab]x", [GLOB]),
        ("item_?", [GLOB]),
        ("**", [ANY_DEPTH]),
        ("**/save_btn", [ANY_DEPTH, NAME]),
        ("..", [PARENT]),
        ("../x", [PARENT, NAME]),
        ('"Sign in"', [QUOTED]),
        ('main/"Sign in"', [NAME, QUOTED]),
        ('say_"x"', [QUOTED]),
        ("./x/.", [NAME]),
        ("x//y/", [NAME, NAME]),
        (".", []),
        ("button[x]", [GLOB]),
        ("b2[1]", [GLOB]),
    ],
)
def test_each_form_of_a_segment_means_one_thing(text: str, kinds: list[SegmentKind]) -> None:
    path = Path.parse(text)
    assert [segment.kind for segment in path.segments] == kinds
    assert not path.absolute


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("/", "/"),
        ("/main_1/..", "/"),
        ("/../..", "/"),
        ("/a/../../b", "/b"),
        ("/a/./b//c/", "/a/b/c"),
        ("/main[0]/..", "/"),
        ("/a*/..", "/a*/.."),
        ("/**/..", "/**/.."),
        ('/"Sign in"/..', '/"Sign in"/..'),
    ],
)
def test_an_absolute_path_is_folded_at_names_and_stays_at_the_root(text: str, shown: str) -> None:
    assert str(Path.parse(text)) == shown


@pytest.mark.parametrize(
    ("path", "directory", "whole"),
    [
        ("x", "/a/b", "/a/b/x"),
        ("..", "/a/b", "/a"),
        ("../..", "/a", "/"),
        ("../../../x", "/a", "/x"),
        (".", "/a", "/a"),
        ("/x", "/a", "/x"),
        ('"Sign in"', "/a", '/a/"Sign in"'),
        ("*", "/", "/*"),
    ],
)
def test_a_relative_path_starts_at_the_working_directory(
    path: str, directory: str, whole: str
) -> None:
    assert str(Path.parse(path).under(Path.of_names(directory))) == whole


def test_an_index_counts_from_zero_and_leading_zeros_are_no_part_of_it() -> None:
    assert Path.parse("button[0]").segments[0].index == 0
    assert Path.parse("button[0000000000003]").segments[0].index == 3
    assert Path.parse(f"button[{'9' * 5000}]").segments[0].index > 10**8


def test_quoted_text_is_never_a_separator_glob_index_or_parent() -> None:
    for text in ("a/b", "*", "button[0]", "..", "/", "~", "@x", ""):
        assert Path.of_pieces([(text, True)]).segments == (Segment(QUOTED, text),)


def test_a_segment_with_a_quoted_part_is_quoted_as_a_whole() -> None:
    path = Path.of_pieces([("main/say ", False), ("*", True), ("/x", False)])
    assert path.segments == (Segment(NAME, "main"), Segment(QUOTED, "say *"), Segment(NAME, "x"))


@pytest.mark.parametrize("text", ["~", "~/tabs", "~/tabs/2", "@bookmark"])
def test_a_place_of_the_browser_is_no_path_in_a_page(text: str) -> None:
    with pytest.raises(UsageError, match="names no element"):
        Path.parse(text)


@pytest.mark.parametrize("pieces", [[], [("", False)]])
def test_an_empty_path_is_an_error_with_a_hint(pieces: list[tuple[str, bool]]) -> None:
    with pytest.raises(UsageError) as caught:
        Path.of_pieces(pieces)
    assert caught.value.hint


@pytest.mark.parametrize("text", ['"open', 'a/"b', '"ends in a backslash\\'])
def test_a_quoted_part_without_an_end_is_an_error(text: str) -> None:
    with pytest.raises(UsageError, match="does not end"):
        Path.parse(text)


def test_a_printed_path_is_names_and_nothing_else() -> None:
    path = Path.of_names("/main_1/say_1/..")
    assert str(path) == "/main_1"
    assert path.is_plain
    assert not path.may_match_many
    assert Path.of_names("") == Path()
    assert Path.of_names("/") == Path(absolute=True)


def test_only_globs_may_match_many() -> None:
    assert Path.parse("a/*_btn").may_match_many
    assert Path.parse("**").may_match_many
    assert not Path.parse('a/button[0]/"x"').may_match_many


@given(st.lists(plain_names))
def test_printed_paths_round_trip(parts: list[str]) -> None:
    printed = "/" + "/".join(parts)
    assert split_names(printed) == tuple(parts)
    assert str(Path.of_names(printed)) == printed
    assert Path.parse(str(Path.of_names(printed))) == Path.of_names(printed)


segments = st.one_of(
    plain_names.map(lambda text: Segment(NAME, text)),
    st.builds(
        Segment,
        st.just(INDEX),
        st.text(st.sampled_from("abcXYZ"), min_size=1),
        st.integers(0, 10**9 - 1),
    ),
    st.sampled_from(["*", "*_btn", "?", "[ab]_link", "a*b"]).map(lambda text: Segment(GLOB, text)),
    st.just(Segment(ANY_DEPTH)),
    st.just(Segment(PARENT)),
    st.text(st.characters(exclude_categories=["Cs"])).map(lambda text: Segment(QUOTED, text)),
)


@given(st.lists(segments))
def test_the_text_form_of_a_relative_path_is_unambiguous(parts: list[Segment]) -> None:
    path = Path(tuple(parts))
    assert Path.parse(str(path)) == path


@given(st.lists(segments))
def test_the_text_form_of_an_absolute_path_is_unambiguous(parts: list[Segment]) -> None:
    path = Path(tuple(parts)).under(Path(absolute=True))
    assert Path.parse(str(path)) == path
    assert not path.segments or path.segments[0].kind is not PARENT


@given(st.text())
def test_every_text_is_a_path_or_a_usage_error(text: str) -> None:
    try:
        path = Path.parse(text)
    except UsageError:
        return
    assert Path.parse(str(path)) == path
