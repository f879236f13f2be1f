import pytest
from hypothesis import assume, given, reject, settings
from hypothesis import strategies as st

from domsh_repl.errors import ParseError
from domsh_repl.language import ExpandedWord, expand, parse_line, print_line, quote_word

SIGNS = st.text(st.sampled_from(list("ab1_ \\'\"$;&<#-*!{}@/é\n")), max_size=30)
PARTS = (
    'ls|wait|-| | |;|&&|a|$x|${x}|$@|$|"$x|"|\'a b\'|"a"|\'\'|""|\\ |\\$|\\|&|<|>|#|1|\\\n'
    "|let x = $(|)|watch -n 1 |alias x = |!a|>> |raw b|<<E\nE"
)
FRAGMENTS = st.lists(st.sampled_from([*PARTS.split("|"), "||"]), max_size=12).map("".join)


def read_back(written: str) -> ExpandedWord:
    (step,) = parse_line(f"x {written}").steps
    (word,) = expand(step.command.words[1], {})
    assert len(step.command.words) == 2
    return word


@settings(max_examples=300, derandomize=True)
@given(st.text(max_size=20) | SIGNS, st.booleans())
def test_a_quoted_text_reads_back_as_itself(text: str, force: bool) -> None:
    assume(text.splitlines() in ([], [text]))
    word = read_back(quote_word(text, force=force))
    assert word.text == text
    assert not (force and word.bare)
    assert not (word.bare and (text.startswith("-") or set(text) & set("*?[]~@")))


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("save_btn", "save_btn"),
        ("/main/form", "/main/form"),
        ("登录", "登录"),
        ("Sign in", '"Sign in"'),
        ("it's", '"it\'s"'),
        ('say "x"', "'say \"x\"'"),
        ("""it's "x" for $5""", r'''"it's \"x\" for \$5"'''),
        ("", '""'),
        ("-n", '"-n"'),
        ("*", '"*"'),
        ("button[2]", '"button[2]"'),
        ("@saved", '"@saved"'),
        ("\x1b", '"\x1b"'),
    ],
)
def test_a_text_is_written_as_simply_as_it_can_be(text: str, written: str) -> None:
    assert quote_word(text) == written


def test_a_label_or_keyword_can_be_forced_into_quotes() -> None:
    assert quote_word("Save", force=True) == '"Save"'


@pytest.mark.parametrize("sign", ["\n", "\r", "\x0b", "\x0c", "\x1c", "\x85", "\u2028", "\u2029"])
def test_a_line_break_cannot_be_written(sign: str) -> None:
    for text in (f"a{sign}b", sign, f"a{sign}"):
        with pytest.raises(ValueError, match="line break"):
            quote_word(text)


@settings(max_examples=500, derandomize=True)
@given(FRAGMENTS | SIGNS, st.booleans())
def test_a_printed_line_parses_to_the_same_line(text: str, batch: bool) -> None:
    try:
        line = parse_line(text, batch=batch)
    except ParseError:
        reject()
    assert parse_line(print_line(line), batch=batch) == line


@pytest.mark.parametrize(
    ("text", "printed"),
    [
        ("ls   -l;pwd&&x||y # c", "ls -l; pwd && x || y"),
        (r"click main/Sign\ in", 'click main/Sign" "in'),
        ("click main/'Sign in'", 'click main/"Sign in"'),
        ('type x "a ${b}c $d"', 'type x "a ${b}c $d"'),
        ("type ${a} ${a}b $1'2'", 'type $a ${a}b $1"2"'),
        ("type x ''", 'type x ""'),
        ("expect count x >= 3", "expect count x >= 3"),
        ("ls|grep  a|!sort>f", "ls | grep a | !sort > f"),
        ("ls >>'a b'", 'ls >> "a b"'),
        ("let x = $( ls|wc )", "let x = $(ls | wc)"),
        ("watch  -n 1  ls;pwd", "watch -n 1 ls; pwd"),
        ("alias x = ls|wc", "alias x = ls | wc"),
        ("type x <<END\na $b\nEND", 'type x "a $b"'),
        ("", ""),
    ],
)
def test_a_line_is_printed_in_one_spelling(text: str, printed: str) -> None:
    assert print_line(parse_line(text)) == printed


def test_a_forgiving_line_is_printed_with_its_dash() -> None:
    assert print_line(parse_line("-click x;  -ls", batch=True)) == "-click x; -ls"
