from __future__ import annotations

import pytest

from domsh_repl.commands.conditions import WORDS
from domsh_repl.commands.executor import check_line
from domsh_repl.commands.helptext import help_for, help_overview, help_topics
from domsh_repl.commands.topics import CONDITIONS, TOPICS
from domsh_repl.errors import UsageError
from domsh_repl.language import parse_line

SCREEN = 24


def test_every_condition_is_explained_and_no_other() -> None:
    assert set(CONDITIONS) == set(WORDS)
    for word, form in CONDITIONS.items():
        assert form.usage.split()[0] == word


@pytest.mark.parametrize("topic", TOPICS)
def test_the_examples_of_a_topic_are_in_the_language(topic: str) -> None:
    assert TOPICS[topic].examples or topic == "paths"
    for example in TOPICS[topic].examples:
        line = parse_line(example, batch=topic == "batch")
        assert list(check_line(line)) == []


@pytest.mark.parametrize("topic", help_topics())
def test_a_page_of_help_fits_a_terminal(topic: str) -> None:
    lines = help_for(topic).splitlines()
    assert all(len(line) <= 80 for line in lines)
    assert len(lines) <= SCREEN or topic in ("commands", "conditions", "batch")


def test_the_overview_fits_a_terminal_and_names_the_topics() -> None:
    lines = help_overview().splitlines()
    assert len(lines) <= SCREEN
    assert all(len(line) <= 84 for line in lines)
    for topic in help_topics():
        assert f"`help {topic}`" in help_overview()


def test_a_misspelt_topic_gets_the_nearest_one() -> None:
    with pytest.raises(UsageError) as caught:
        help_for("conditon")
    assert caught.value.hint == "did you mean conditions?"
