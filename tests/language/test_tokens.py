import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from domsh_repl.language import (
    Piece,
    Token,
    TokenKind,
    Unfinished,
    VariablePiece,
    is_unfinished,
    tokenize,
)

ANY_TEXT = st.text(
    st.one_of(st.sampled_from(list("ab \t\n\\'\"$;&|<>#-!{}()@1\ufeff\r\u2028")), st.characters()),
    max_size=30,
) | st.text(st.characters(categories=["Cs", "Cc", "L", "P"]), max_size=12)


def pieces_of(text: str) -> tuple[Piece | VariablePiece, ...]:
    (token,) = tokenize(text)
    assert token.kind is TokenKind.WORD
    assert not token.problems
    return token.pieces


def kinds_of(text: str) -> list[TokenKind]:
    return [token.kind for token in tokenize(text)]


@settings(max_examples=300, derandomize=True)
@given(ANY_TEXT)
def test_every_text_has_tokens_that_cover_all_but_blanks(text: str) -> None:
    position = 0
    for token in tokenize(text):
        assert position <= token.start < token.end <= len(text)
        assert not text[position : token.start].replace("\\\n", "").strip(" \t")
        position = token.end
    assert not text[position:].replace("\\\n", "").strip(" \t")


@settings(max_examples=200, derandomize=True)
@given(ANY_TEXT)
def test_only_the_last_token_can_be_unfinished(text: str) -> None:
    tokens = tokenize(text)
    assert all(token.unfinished is None for token in tokens[:-1])
    assert is_unfinished(text) == (bool(tokens) and tokens[-1].unfinished is not None)


@settings(max_examples=200, derandomize=True)
@given(ANY_TEXT)
def test_the_blame_lies_inside_its_token(text: str) -> None:
    for token in tokenize(text):
        for problem in token.problems:
            assert token.start <= problem.start < problem.end <= token.end


def test_an_empty_text_has_no_tokens() -> None:
    assert tokenize("") == ()
    assert tokenize(" \t ") == ()


def test_tokens_know_where_they_stand() -> None:
    assert tokenize("ls  -l;x") == (
        Token(TokenKind.WORD, 0, 2, (Piece("ls"),), names=True),
        Token(TokenKind.WORD, 4, 6, (Piece("-l"),)),
        Token(TokenKind.SEPARATOR, 6, 7),
        Token(TokenKind.WORD, 7, 8, (Piece("x"),), names=True),
    )


@pytest.mark.parametrize(
    "text",
    [r"C:\x", r"C:\dir\f", r"/\d+/", "http://h/?a=1&b=2", "a#b", "/foo$/", "a<b", "*[x]?", "a=b"],
)
def test_text_without_syntax_stays_as_it_is(text: str) -> None:
    assert pieces_of(text) == (Piece(text),)


@pytest.mark.parametrize("sign", list(" \t\\'\"$;&|<>#"))
def test_a_backslash_escapes_blanks_and_syntax_characters(sign: str) -> None:
    assert pieces_of(f"a\\{sign}b") == (Piece("a"), Piece(sign, quoted=True), Piece("b"))


def test_nothing_is_special_in_single_quotes() -> None:
    assert pieces_of(r"""'a\ "$x" \' """.strip()) == (
        Piece(r"""a\ "$x" \ """.strip(), quoted=True),
    )


def test_double_quotes_know_three_escapes_and_variables() -> None:
    assert pieces_of(r'"a \" \\ \$ \d $x; | # > b"') == (
        Piece(r'a " \ $ \d ', quoted=True),
        VariablePiece("x", quoted=True),
        Piece("; | # > b", quoted=True),
    )


def test_empty_quotes_are_a_word() -> None:
    assert pieces_of("''") == (Piece("", quoted=True),)
    assert pieces_of('""') == (Piece("", quoted=True),)


def test_neighbours_of_one_kind_are_one_piece() -> None:
    assert pieces_of(r"""main/"a"'b'\ """) == (Piece("main/"), Piece("ab ", quoted=True))


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("$name", ["name"]),
        ("${name}", ["name"]),
        ("$12", ["12"]),
        ("$#", ["#"]),
        ("$@", ["@"]),
        ("${@}", ["@"]),
        ("$a_1$status", ["a_1", "status"]),
    ],
)
def test_variables_are_pieces(text: str, names: list[str]) -> None:
    assert pieces_of(text) == tuple(VariablePiece(name) for name in names)


def test_braces_end_a_variables_name() -> None:
    assert pieces_of("${a}b") == (VariablePiece("a"), Piece("b"))


def test_operators_need_no_blanks() -> None:
    assert kinds_of("a;b&&c||d") == [
        TokenKind.WORD,
        TokenKind.SEPARATOR,
        TokenKind.WORD,
        TokenKind.AND,
        TokenKind.WORD,
        TokenKind.OR,
        TokenKind.WORD,
    ]


def test_a_comment_starts_at_a_word_start_only() -> None:
    assert kinds_of("ls # it's; all") == [TokenKind.WORD, TokenKind.COMMENT]
    assert kinds_of("ls;# x") == [TokenKind.WORD, TokenKind.SEPARATOR, TokenKind.COMMENT]
    assert kinds_of("ls a#b") == [TokenKind.WORD, TokenKind.WORD]


def test_pipes_and_redirections_are_seen() -> None:
    assert kinds_of("a|b") == [TokenKind.WORD, TokenKind.PIPE, TokenKind.WORD]
    assert kinds_of("a>b") == [TokenKind.WORD, TokenKind.REDIRECT, TokenKind.WORD]
    assert kinds_of("a >> b") == [TokenKind.WORD, TokenKind.REDIRECT, TokenKind.WORD]
    assert kinds_of("a << 'x y'") == [TokenKind.WORD, TokenKind.ERROR, TokenKind.WORD]


@pytest.mark.parametrize("command", ["wait", "expect", "-expect", "ls; wait", "ls && expect"])
def test_angles_are_comparisons_after_wait_and_expect(command: str) -> None:
    tokens = tokenize(f"{command} count x >= 3 > << <")
    assert [token.pieces for token in tokens[-6:]] == [
        (Piece(text),) for text in ["x", ">=", "3", ">", "<<", "<"]
    ]


@pytest.mark.parametrize("line", ["ls wait > 3", "expect a; ls > 3", "'wait' > 3"])
def test_comparisons_end_with_their_command(line: str) -> None:
    assert TokenKind.REDIRECT in kinds_of(line)


@pytest.mark.parametrize(
    ("text", "unfinished", "pieces"),
    [
        ("'open", Unfinished.SINGLE_QUOTE, (Piece("open", quoted=True),)),
        ('main/"Sign i', Unfinished.DOUBLE_QUOTE, (Piece("main/"), Piece("Sign i", quoted=True))),
        ("it's", Unfinished.SINGLE_QUOTE, (Piece("it"), Piece("s", quoted=True))),
        ('"', Unfinished.DOUBLE_QUOTE, (Piece("", quoted=True),)),
        ("navi\\", Unfinished.NEXT_LINE, (Piece("navi"),)),
        ('"a\\', Unfinished.NEXT_QUOTED_LINE, (Piece("a", quoted=True),)),
    ],
)
def test_an_unfinished_word_says_what_it_waits_for(
    text: str, unfinished: Unfinished, pieces: tuple[Piece, ...]
) -> None:
    (token,) = tokenize(text)
    assert (token.unfinished, token.pieces, token.end) == (unfinished, pieces, len(text))
    assert len(token.problems) == 1
    assert is_unfinished(f"ls {text}")


@pytest.mark.parametrize("text", ["", "ls", "ls # it's \\", r"ls \\", "'a\\'", 'x "it\'s"'])
def test_a_complete_line_is_not_unfinished(text: str) -> None:
    assert not is_unfinished(text)


def test_a_quote_may_go_on_over_a_line_end() -> None:
    assert pieces_of('"a\nb"') == (Piece("a\nb", quoted=True),)


def test_a_backslash_joins_lines_but_not_in_single_quotes() -> None:
    assert pieces_of("ab\\\ncd") == (Piece("abcd"),)
    assert pieces_of('"ab\\\ncd"') == (Piece("abcd", quoted=True),)
    assert pieces_of("'ab\\\ncd'") == (Piece("ab\\\ncd", quoted=True),)
    assert kinds_of("ls \\\n  \\\n x") == [TokenKind.WORD, TokenKind.WORD]


@pytest.mark.parametrize("text", ["a&\\\n&b", "$\\\nx", "$na\\\nme", '"$\\\n\\\n{x}"', "a<\\\n<b"])
def test_lines_are_not_joined_inside_a_sign(text: str) -> None:
    assert [problem.message for token in tokenize(text) for problem in token.problems] == [
        "the line is broken inside a variable or sign"
    ]


@pytest.mark.parametrize("text", ["$x\\\n y", "${x}\\\ny", "a&\\\nb", "\\&\\\n&b", '"$x"\\\ny'])
def test_lines_are_joined_beside_a_sign(text: str) -> None:
    assert not any(token.problems for token in tokenize(text))


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("ls; pwd && a | b", ["ls", "pwd", "a", "b"]),
        ("watch ls -l x", ["watch", "ls"]),
        ("watch -n 2 --until-change --times 3 wait x", ["watch", "wait"]),
        ("-watch -n2 --times=3 ls | wc", ["-watch", "ls", "wc"]),
        ("watch watch ls", ["watch", "watch", "ls"]),
        ("let x = $(find a | head); ls", ["let", "find", "head", "ls"]),
        ("let x = ls", ["let"]),
        ("alias x = ls -l | wc", ["alias", "ls", "wc"]),
        ("alias x ls", ["alias"]),
        ("ls > file other", ["ls"]),
        ("!echo a | !cat", ["!echo", "!cat"]),
        ("raw watch ls | x", ["raw"]),
        ("type x <<END\nls; ls\nEND", ["type"]),
    ],
)
def test_tokens_tell_where_a_command_is_named(text: str, named: list[str]) -> None:
    assert [text[token.start : token.end] for token in tokenize(text) if token.names] == named


@pytest.mark.parametrize("line", ["watch expect a > 3", "let x = $(expect a > 3)"])
def test_angles_are_comparisons_in_a_line_within_a_line(line: str) -> None:
    assert TokenKind.REDIRECT not in kinds_of(line)


def test_a_text_below_is_one_word_of_its_line() -> None:
    tokens = tokenize("type x <<END # c\na $b \\$c\n\nEND")
    assert tokens[2].pieces == (
        Piece("a ", quoted=True),
        VariablePiece("b", quoted=True),
        Piece(" $c\n", quoted=True),
    )
    assert (tokens[2].end, tokens[2].below) == (30, "END")


def test_a_text_below_is_literal_where_its_end_is_quoted() -> None:
    assert tokenize("type x <<'E'\n$a\\$b\nE")[2].pieces == (Piece("$a\\$b", quoted=True),)
    assert tokenize('type x << "E"\nE')[2].pieces == (Piece("", quoted=True),)


@pytest.mark.parametrize("text", ["a <<E", "a <<E\n", "a <<E\nx", "a <<E\n E", "a <<E\nEE\nx E"])
def test_a_text_below_waits_for_its_end(text: str) -> None:
    assert is_unfinished(text)
    assert tokenize(text)[-1].unfinished is Unfinished.TEXT_BELOW


def test_a_line_end_outside_quotes_is_an_error_token() -> None:
    assert kinds_of("ls\nrm") == [TokenKind.WORD, TokenKind.ERROR, TokenKind.WORD]
