"""The shell's own idea of where it is, as transitions of values."""

from __future__ import annotations

from dataclasses import replace

from domsh_repl.nodes import PageInfo
from domsh_repl.state import PageState, TabState


def page(entry: int, position: int, document: str = "", *, tab: int = 1, url: str = "") -> PageInfo:
    """Return what a reply says of the page that is history entry ``entry``."""
    address = url or f"http://h/{entry}"
    return PageInfo(
        address, f"Title {entry}", tab, document=document or f"D{entry}", entry=entry,
        position=position,
    )  # fmt: skip


def walked(*pages: PageInfo) -> PageState:
    """Return the state after these replies."""
    state = PageState()
    for one in pages:
        state = state.arrived(one)
    return state


def urls(tab: TabState) -> tuple[list[str], list[str]]:
    """Return the addresses of the past, the current one last, and of the forward stack."""
    return [entry.url for entry in tab.past], [entry.url for entry in tab.forward]


def test_a_shell_that_asked_for_nothing_yet_stands_at_the_root_of_no_tab() -> None:
    state = PageState()
    assert state.cwd == "/"
    assert state.tab.current is None


def test_a_new_document_pushes_history_and_starts_at_the_root() -> None:
    state = walked(page(1, 0)).changed_directory("/main_1").arrived(page(2, 1))
    assert urls(state.tab) == (["http://h/1", "http://h/2"], [])
    assert state.cwd == "/"
    assert state.tab.past[0].cwd == "/main_1"


def test_back_and_forward_bring_back_the_directory_of_each_page() -> None:
    state = walked(page(1, 0)).changed_directory("/main_1").arrived(page(2, 1))
    state = state.changed_directory("/nav_1").arrived(page(1, 0))
    assert state.cwd == "/main_1"
    assert urls(state.tab) == (["http://h/1"], ["http://h/2"])
    state = state.arrived(page(2, 1))
    assert state.cwd == "/nav_1"
    assert urls(state.tab) == (["http://h/1", "http://h/2"], [])


def test_going_elsewhere_after_back_clears_the_forward_stack() -> None:
    state = walked(page(1, 0), page(2, 1), page(3, 2), page(1, 0), page(4, 1))
    assert urls(state.tab) == (["http://h/1", "http://h/4"], [])


def test_several_steps_at_once_keep_what_lies_between() -> None:
    state = walked(page(1, 0), page(2, 1), page(3, 2), page(1, 0))
    assert urls(state.tab) == (["http://h/1"], ["http://h/2", "http://h/3"])


def test_an_entry_that_takes_the_place_of_another_pushes_nothing() -> None:
    state = walked(page(1, 0), page(2, 1), page(3, 2), page(2, 1), page(9, 1))
    assert urls(state.tab) == (["http://h/1", "http://h/9"], ["http://h/3"])
    assert state.cwd == "/"


def test_a_replaced_entry_of_the_same_document_keeps_the_directory() -> None:
    state = walked(page(1, 0, "D")).changed_directory("/main_1").arrived(page(7, 0, "D"))
    assert state.cwd == "/main_1"
    assert urls(state.tab) == (["http://h/7"], [])


def test_moving_within_the_document_pushes_history_and_keeps_the_directory() -> None:
    state = walked(page(1, 0, "D")).changed_directory("/main_1").arrived(page(2, 1, "D"))
    assert state.cwd == "/main_1"
    assert urls(state.tab) == (["http://h/1", "http://h/2"], [])


def test_reload_keeps_the_entry_and_its_directory() -> None:
    state = walked(page(1, 0, "old")).changed_directory("/main_1").arrived(page(1, 0, "new"))
    assert state.cwd == "/main_1"
    assert state.tab.document == "new"
    assert len(state.tab.past) == 1


def test_a_later_reply_updates_address_and_title_of_the_entry() -> None:
    first = page(1, 0)
    state = walked(first, replace(first, url="http://h/1#x", title="Later"))
    current = state.tab.current
    assert current is not None
    assert (current.url, current.title) == ("http://h/1#x", "Later")
    assert len(state.tab.past) == 1


def test_each_tab_has_its_own_directory_and_history() -> None:
    state = walked(page(1, 0)).changed_directory("/main_1")
    state = state.arrived(page(5, 0, tab=2)).changed_directory("/nav_1")
    assert state.cwd == "/nav_1"
    state = state.arrived(page(1, 0))
    assert state.cwd == "/main_1"
    assert urls(state.tabs[2]) == (["http://h/5"], [])


def test_equal_entry_ids_in_two_tabs_are_two_entries() -> None:
    state = walked(page(1, 0), page(1, 0, tab=2, url="http://other/"))
    assert urls(state.tabs[1]) == (["http://h/1"], [])
    assert urls(state.tabs[2]) == (["http://other/"], [])


def test_a_closed_tab_is_forgotten() -> None:
    state = walked(page(1, 0), page(5, 0, tab=2)).closed(2)
    assert list(state.tabs) == [1]


def test_the_previous_directory_is_where_the_last_change_came_from() -> None:
    state = walked(page(1, 0)).changed_directory("/a").changed_directory("/a/b")
    assert state.tab.previous_cwd == "/a"


def test_a_reply_without_a_tab_changes_no_tab() -> None:
    before = walked(page(1, 0)).changed_directory("/main_1")
    after = before.arrived(PageInfo())
    assert after.tabs == before.tabs
    assert after.page == PageInfo()


def test_transitions_leave_the_state_before_them_alone() -> None:
    before = walked(page(1, 0)).changed_directory("/main_1")
    before.arrived(page(2, 1)).changed_directory("/x")
    assert before.cwd == "/main_1"
    assert len(before.tab.past) == 1


def test_a_push_into_a_full_history_keeps_the_page_before_it() -> None:
    state = walked(*(page(entry, entry) for entry in range(50))).changed_directory("/main_1")
    state = state.arrived(page(50, 49))
    assert [entry.id for entry in state.tab.past] == list(range(1, 51))
    assert [entry.position for entry in state.tab.past] == list(range(50))
    state = state.arrived(page(49, 48))
    assert state.cwd == "/main_1"
    assert [entry.id for entry in state.tab.forward] == [50]


def test_a_replacement_before_the_last_place_is_still_one() -> None:
    state = walked(page(1, 47), page(2, 48), page(3, 48))
    assert [entry.id for entry in state.tab.past] == [1, 3]
