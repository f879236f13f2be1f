"""``snapshot`` and ``diff FILE``: what is written, read back and told."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domsh_repl.commands.comparing import compare
from domsh_repl.commands.snapshottext import Shape, Snapshot, parse_snapshot, write_snapshot
from domsh_repl.errors import Failed, Misused
from domsh_repl.reports import Comparison, Difference
from domsh_repl.safetext import has_unsafe
from tests.sessions import Shell, running_shell

PAGE = """
document "Shop"
  banner
    link "Home" [current]
  main
    heading "Tea" level=1
    form "Sign up"
      textbox "Email" [required]
      button "Send"
    list
      listitem "Sencha"
      listitem "Assam"
      listitem "Mint"
"""


def page(text: str = PAGE) -> Snapshot:
    return parse_snapshot("# domsh snapshot 1" + text)


def changes(old: str, new: str) -> list[tuple[str, str, str, str, str]]:
    """Replace a part of the page and return what is told of it."""
    assert old in PAGE
    compared = compare(page(), page(PAGE.replace(old, new)))
    parts = compared.changes
    return [
        (one.what, one.role, one.label, one.was, one.now)
        for group in (parts.added, parts.removed, parts.changed)
        for one in group
    ]


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("[required]", "[required invalid]",
         [("states", "textbox", "Email", "required", "required invalid")]),
        ('button "Send"', 'button "Send it"',
         [("renamed", "button", "Send it", 'button "Send"', 'button "Send it"')]),
        ("level=1", "level=2", [("level", "heading", "Tea", "1", "2")]),
        ('      listitem "Assam"\n', "", [("removed", "listitem", "Assam", "", "")]),
        ('      listitem "Mint"\n', '      listitem "Mint"\n      listitem "Oolong"\n',
         [("added", "listitem", "Oolong", "", "")]),
        ('"Sencha"', '"Sencha tea"',
         [("renamed", "listitem", "Sencha tea", 'listitem "Sencha"', 'listitem "Sencha tea"')]),
        ('    link "Home" [current]\n  main\n', '  main\n    link "Home" [current]\n',
         [("moved", "link", "Home", "banner", "main")]),
        ('"Shop"', '"Store"', [("renamed", "document", "Store", 'document "Shop"',
                                'document "Store"')]),
    ],
)  # fmt: skip
def test_each_change_is_told_as_what_it_is(
    old: str, new: str, told: list[tuple[str, str, str, str, str]]
) -> None:
    assert changes(old, new) == told


def test_a_branch_is_told_by_its_top() -> None:
    form = PAGE[PAGE.index("    form") : PAGE.index("    list\n")]
    gone = compare(page(), page(PAGE.replace(form, ""))).changes
    (one,) = gone.removed
    assert (one.role, one.inside, one.place, one.path) == ("form", 2, "main", None)
    assert (gone.added, gone.changed) == ((), ())


def test_what_is_wrapped_has_moved_and_is_not_new() -> None:
    form = PAGE[PAGE.index("    form") : PAGE.index("    list\n")]
    inside = "".join(f"  {line}\n" for line in form.splitlines())
    told = compare(page(), page(PAGE.replace(form, f"    region\n{inside}"))).changes
    assert [one.role for one in told.added] == ["region"]
    assert told.removed == ()
    (moved,) = told.changed
    assert (moved.what, moved.role, moved.was, moved.now) == (
        "moved", "form", "main", "main / region",
    )  # fmt: skip


def test_a_reordered_list_is_the_same() -> None:
    assert changes('listitem "Sencha"\n      listitem "Assam"',
                   'listitem "Assam"\n      listitem "Sencha"') == []  # fmt: skip


def test_what_was_cut_is_told() -> None:
    cut = Snapshot(page().shapes, "9 nodes and what is in them")
    assert compare(cut, cut).cut == "not compared: 9 nodes and what is in them"


ROLES = st.sampled_from(["button", "link", "StaticText", "doc-toc"])
STATES = st.lists(st.sampled_from(["checked", "disabled", "required"]), unique=True).map(tuple)
CHILDREN = st.builds(
    Shape, st.just(1), ROLES, st.text(st.characters()), st.integers(0, 9), STATES
)  # fmt: skip


@given(st.lists(CHILDREN, max_size=8), st.lists(CHILDREN, max_size=8))
def test_any_page_reads_back_as_it_was_written(ones: list[Shape], others: list[Shape]) -> None:
    first = Snapshot((Shape(0, "document", "T"), *ones))
    second = Snapshot((Shape(0, "document", "T"), *others))
    text = write_snapshot(first)
    assert parse_snapshot(text) == first
    assert not any(map(has_unsafe, text.split("\n")))
    assert not compare(parse_snapshot(text), first).changes
    told = compare(first, second).changes
    count = len(ones) + len(told.added) - len(told.removed)
    assert count == len(others)


@pytest.mark.parametrize(
    "text",
    [
        "", "something else", "# domsh snapshot 2\nmain", "# domsh snapshot 1\n",
        '# domsh snapshot 1\nmain "open', "# domsh snapshot 1\nmain\n      button",
        "# domsh snapshot 1\nmain\nmain", '# domsh snapshot 1\nmain "\\x"',
        "# domsh snapshot 1\n  main", "# domsh snapshot 1\nmain [REQUIRED]",
    ],
)  # fmt: skip
def test_another_text_is_no_snapshot(text: str) -> None:
    with pytest.raises(Failed) as raised:
        parse_snapshot(text)
    assert raised.value.hint


@given(st.text())
def test_any_text_is_a_snapshot_or_an_error(text: str) -> None:
    for one in (text, f"# domsh snapshot 1\n{text}"):
        try:
            parse_snapshot(one)
        except Failed:
            continue


@pytest.fixture(scope="module")
def shared() -> Iterator[Shell]:
    with running_shell() as made:
        yield made


@pytest.fixture
def shell(shared: Shell, pages: str) -> Shell:
    shared.value(f"open {pages}/form.html")
    return shared


def test_a_page_is_the_same_as_its_snapshot_until_it_changes(shell: Shell, tmp_path: Path) -> None:
    file = tmp_path / "form.snapshot"
    saved = shell.value(f"snapshot -o {file}")
    text = file.read_text()
    assert saved.file == str(file)
    assert saved.text == f"{len(text.splitlines()) - 1} nodes"
    assert shell.run(f"diff {file}") == 0
    shell.value("reload")
    shell.value("snapshot --force -o " + str(file))
    assert file.read_text() == text, "nothing in it changes by itself"
    shell.value("js \"document.querySelector('button').textContent = 'Other'; 1\"")
    shell.value('check "I agree"')
    assert shell.run(f"diff {file}") == 1
    (compared,) = shell.screen.values
    assert isinstance(compared, Comparison)
    told = compared.changes.changed
    assert {one.what for one in told} == {"renamed", "states"}
    for one in told:
        assert isinstance(one, Difference)
        assert one.path is not None
        assert shell.value(f'cat "{one.path}"').path == one.path


def test_a_part_is_compared_with_a_part(shell: Shell, tmp_path: Path) -> None:
    file = tmp_path / "part"
    shell.value(f"snapshot -o {file} main_area/signup_form")
    assert file.read_text().splitlines()[1].startswith("form ")
    assert shell.run(f"diff {file} main_area/signup_form") == 0
    shell.value("cd main_area/signup_form")
    assert shell.run(f"diff {file}") == 0
    error = shell.error(f"diff {file} /")
    assert error.message == f"{file} is of a form, and this is a RootWebArea"


def test_a_hostile_label_reads_back_as_it_is(shell: Shell, pages: str, tmp_path: Path) -> None:
    shell.value(f"open {pages}/hostile_label.html")
    file = tmp_path / "hostile"
    shell.value(f"snapshot -o {file}")
    assert not any(map(has_unsafe, file.read_text().splitlines()))
    assert shell.run(f"diff {file}") == 0


def test_a_file_that_is_there_stays_unless_it_is_forced(shell: Shell, tmp_path: Path) -> None:
    file = tmp_path / "mine"
    file.write_text("mine")
    assert "--force" in shell.error(f"snapshot -o {file}").hint
    assert file.read_text() == "mine"
    error = shell.error(f"diff {file}")
    assert str(file) in error.message
    assert "no snapshot" in error.message
    assert "No such file" in shell.error(f"diff {tmp_path}/none").message


def test_a_snapshot_needs_a_file(shell: Shell) -> None:
    with pytest.raises(Misused, match="-o FILE"):
        shell.run("snapshot")


def test_a_big_page_is_cut_and_says_so(
    shell: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("domsh_repl.commands.snapshots._MOST", 5)
    saved = shell.value(f"snapshot -o {tmp_path}/cut")
    assert "not in it" in saved.text
    assert (tmp_path / "cut").read_text().splitlines()[1].startswith("# cut: ")
    assert shell.run(f"diff {tmp_path}/cut") == 0
    assert shell.screen.values[-1].cut.startswith("not compared: ")
