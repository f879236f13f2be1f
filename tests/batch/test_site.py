"""The folder that is served meanwhile: on loopback only, nothing above it, nothing kept."""

from __future__ import annotations

import http.client
import threading
from pathlib import Path

import pytest

from domsh_repl.batch.site import serve_folder
from domsh_repl.errors import UsageError


def fetch(url: str, path: str) -> tuple[int, dict[str, str], bytes]:
    """Ask for a path as it is, with nothing folded."""
    connection = http.client.HTTPConnection(url.removeprefix("http://"), timeout=5)
    try:
        connection.request("GET", path)
        answer = connection.getresponse()
        return (
            answer.status,
            {name.lower(): value for name, value in answer.getheaders()},
            answer.read(),
        )
    finally:
        connection.close()


def test_a_folder_is_served_as_utf8_and_never_kept(tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text("<p>tè", encoding="utf-8")
    (tmp_path / "a.js").write_text("1", encoding="utf-8")
    with serve_folder(str(tmp_path)) as url:
        status, headers, body = fetch(url, "/")
        assert (status, body.decode()) == (200, "<p>tè")
        assert headers["content-type"] == "text/html; charset=utf-8"
        assert headers["cache-control"] == "no-cache"
        assert fetch(url, "/a.js")[1]["content-type"] == "text/javascript; charset=utf-8"
        assert fetch(url, "/nosuch")[0] == 404


@pytest.mark.parametrize("path", ["/../secret", "/%2e%2e/secret", "/a/../../secret", "//secret"])
def test_nothing_above_the_folder_is_served(tmp_path: Path, path: str) -> None:
    (tmp_path / "secret").write_text("secret", encoding="utf-8")
    (tmp_path / "site" / "a").mkdir(parents=True)
    with serve_folder(str(tmp_path / "site")) as url:
        assert b"secret" not in fetch(url, path)[2]


def test_the_address_is_this_machine_and_free_again_afterwards(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    before = threading.active_count()
    with serve_folder(str(tmp_path)) as url:
        assert url.startswith("http://127.0.0.1:")
        fetch(url, "/")
    with pytest.raises(ConnectionRefusedError):
        fetch(url, "/")
    assert threading.active_count() <= before + 1  # an answering thread may still be leaving
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("path", ["/%00", "/a%00.html", f"/{'x' * 5000}"])
def test_a_path_that_no_file_has_is_an_answer_and_nothing_on_our_streams(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], path: str
) -> None:
    with serve_folder(str(tmp_path)) as url:
        assert fetch(url, path)[0] in (400, 404)
        assert fetch(url, "/")[0] == 200
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("name", ["nosuch", "file.txt", ""])
def test_what_is_no_folder_is_a_usage_error(tmp_path: Path, name: str) -> None:
    (tmp_path / "file.txt").write_text("x", encoding="utf-8")
    folder = str(tmp_path / name) if name else ""
    with pytest.raises(UsageError, match="no folder"), serve_folder(folder):
        pass
