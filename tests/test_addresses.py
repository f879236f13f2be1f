"""What the operand of ``open`` means (docs/language.md §4)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domsh_repl.addresses import allowed_url, resolve_url
from domsh_repl.errors import BlockedUrl, UsageError

HERE = "http://127.0.0.1:8000/shop/tea.html?id=3#top"


@pytest.mark.parametrize(
    ("text", "url"),
    [
        ("example.org", "https://example.org"),
        ("example.org/about?x=1#y", "https://example.org/about?x=1#y"),
        ("example.org:8443/x", "https://example.org:8443/x"),
        ("EXAMPLE.org", "https://EXAMPLE.org"),
        ("日本語.example", "https://日本語.example"),
        ("shop.html", "https://shop.html"),
        ("localhost", "http://localhost"),
        ("localhost:8000", "http://localhost:8000"),
        ("localhost:8000/a", "http://localhost:8000/a"),
        ("LOCALHOST/a", "http://LOCALHOST/a"),
        ("app.localhost:3000", "http://app.localhost:3000"),
        ("127.0.0.1", "http://127.0.0.1"),
        ("127.0.0.1:9/x", "http://127.0.0.1:9/x"),
        ("127.255.3.4?x", "http://127.255.3.4?x"),
        ("[::1]:8000/x", "http://[::1]:8000/x"),
        ("localhost.example.org", "https://localhost.example.org"),
        ("127.0.0.1.example.org", "https://127.0.0.1.example.org"),
        ("localhost@example.org", "https://localhost@example.org"),
        ("notlocalhost", "https://notlocalhost"),
        ("http://example.org", "http://example.org"),
        ("https://example.org", "https://example.org"),
        ("HTTP://example.org", "HTTP://example.org"),
        ("  http://example.org  ", "http://example.org"),
        ("about:blank", "about:blank"),
        ("/", "http://127.0.0.1:8000/"),
        ("/x", "http://127.0.0.1:8000/x"),
        ("./x", "http://127.0.0.1:8000/shop/x"),
        ("../x", "http://127.0.0.1:8000/x"),
        ("?id=4", "http://127.0.0.1:8000/shop/tea.html?id=4"),
        ("#end", "http://127.0.0.1:8000/shop/tea.html?id=3#end"),
        ("//example.org/x", "http://example.org/x"),
    ],
)
def test_what_the_operand_of_open_means(text: str, url: str) -> None:
    assert resolve_url(text, HERE, allow_file=False) == url


@pytest.mark.parametrize(
    ("text", "scheme"),
    [
        ("file:///etc/passwd", "file"),
        ("FILE:///etc/passwd", "file"),
        ("file:/etc/passwd", "file"),
        ("javascript:alert(1)", "javascript"),
        ("java\tscript:alert(1)", "javascript"),
        ("java\nscript:alert(1)", "javascript"),
        ("\tjavascript:alert(1)", "javascript"),
        ("JavaScript:alert(1)", "javascript"),
        ("data:text/html,x", "data"),
        ("chrome://settings", "chrome"),
        ("chrome-extension://abc/x.html", "chrome-extension"),
        ("devtools://devtools/x", "devtools"),
        ("view-source:http://example.org", "view-source"),
        ("about:version", "about"),
        ("blob:http://example.org/1", "blob"),
        ("filesystem:http://example.org/x", "filesystem"),
        ("ftp://example.org", "ftp"),
        ("mailto:a@example.org", "mailto"),
    ],
)
def test_other_schemes_are_blocked_by_name(text: str, scheme: str) -> None:
    with pytest.raises(BlockedUrl, match=f"^{scheme}: URLs are not opened"):
        resolve_url(text, HERE, allow_file=False)


def test_files_are_opened_where_they_are_allowed() -> None:
    assert resolve_url("file:///x", "", allow_file=True) == "file:///x"
    assert resolve_url("./y", "file:///x", allow_file=True) == "file:///y"
    with pytest.raises(BlockedUrl) as caught:
        resolve_url("./y", "file:///x", allow_file=False)
    assert "--allow-file" in caught.value.hint


@pytest.mark.parametrize("current", ["", "about:blank"])
@pytest.mark.parametrize("text", ["/", "./x", "?x", "#x"])
def test_nothing_is_relative_to_no_page(text: str, current: str) -> None:
    with pytest.raises(UsageError, match="no page is open"):
        resolve_url(text, current, allow_file=False)


@pytest.mark.parametrize(
    "text", ["", "  ", "\n", "two words", "http://[::1", "//[", "/\t/[", "[x", "ex ample.org"]
)
def test_what_is_no_address_is_a_usage_error(text: str) -> None:
    with pytest.raises(UsageError):
        resolve_url(text, HERE, allow_file=False)


@pytest.mark.parametrize(
    "text", ["localhost", "example.org", "about:blank", "app.localhost:3000/x"]
)
def test_other_clients_of_the_engine_have_the_same_rules(text: str) -> None:
    assert allowed_url(text, allow_file=False) == resolve_url(text, "", allow_file=False)
    for blocked in ("file:///x", "javascript:x", "java\tscript:x", "data:,x"):
        with pytest.raises(BlockedUrl):
            allowed_url(blocked, allow_file=False)


@given(st.text())
def test_whatever_is_typed_opens_http_or_nothing(text: str) -> None:
    try:
        url = resolve_url(text, HERE, allow_file=False)
    except (UsageError, BlockedUrl):
        return
    assert url.lower().startswith(("http:", "https:")) or url.lower() == "about:blank"
