"""Programs of DOMShell run on the Node.js that Debian has, and know the token."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from domsh_repl.link.node import environment_of
from tests.program import LONGEST

WITHOUT_CRYPTO = "--no-experimental-global-webcrypto"
"""Makes a newer Node.js like 18."""


def said(*arguments: str, token: str = "") -> str:
    """Return what a program for Node.js prints that is started as DOMShell's are."""
    if shutil.which("node") is None:
        pytest.skip("node is not installed")
    ran = subprocess.run(
        ["node", *arguments], capture_output=True, text=True, timeout=LONGEST, check=True,
        env=environment_of(os.environ, token),
    )  # fmt: skip
    return ran.stdout.strip()


def test_an_old_node_has_what_the_server_needs() -> None:
    assert said(WITHOUT_CRYPTO, "-p", "typeof crypto.randomUUID()") == "string"


@pytest.mark.parametrize(
    ("name", "told"), [("domshell-proxy.js", "--token geheim"), ("other.js", "")]
)
def test_the_proxy_alone_gets_the_token_as_an_argument(
    tmp_path: Path, name: str, told: str
) -> None:
    program = tmp_path / name
    program.write_text("console.log(process.argv.slice(2).join(' '))")
    assert said(str(program), token="geheim") == told


def test_options_of_the_user_stay() -> None:
    made = environment_of({"NODE_OPTIONS": "--no-warnings"}, "")
    assert made["NODE_OPTIONS"].startswith("--no-warnings --require ")
    assert "DOMSHELL_TOKEN" not in made
