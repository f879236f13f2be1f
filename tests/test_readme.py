"""What README.md tells people to type is really typed here, in the example shop."""

from __future__ import annotations

import asyncio
import json
import os
import re
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Any

import pytest
import yaml
from junitparser import JUnitXml
from mcp.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client

from domsh_repl.commands.registry import names
from domsh_repl.options import help_text
from tests.program import DOMSH, LONGEST, ROOT, domsh_here

PROGRAMS = str(Path(DOMSH[0]).parent)
README = (ROOT / "README.md").read_text(encoding="utf-8")
FENCES = re.findall(r"^```(\w*)\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)
MANUAL = "/usr/share/doc/python3/html"
DAEMON = (
    ".venv/bin/domsh daemon start",
    ".venv/bin/domsh --daemon --site examples/site -c 'cd main_1; ls'",
    ".venv/bin/domsh --daemon -c pwd",
    ".venv/bin/domsh daemon status",
    ".venv/bin/domsh daemon stop",
)
NOT_RUN = {
    **dict.fromkeys(DAEMON, "the next test runs them one after the other"),
    "script/demo": "it makes .venv and installs packages",
    "script/lint": "it is the check that runs beside these tests",
    "script/test": "it would run this test again",
    ".venv/bin/domsh --site examples/site": "it is interactive; the tests of the shell run it",
    ".venv/bin/domsh run --site examples/site examples/sessions/tour.domsh": "test_examples does",
    f".venv/bin/domsh run --site {MANUAL} examples/sessions/python-manual.domsh": "the same",
    "export DOMSHELL_TOKEN=$(openssl rand -hex 16)": "test_conformance runs these",
    "npx -y @apireno/domshell --allow-write &": "the same",
    ".venv/bin/domsh bridge &": "the same",
    ".venv/bin/domsh --server http://127.0.0.1:3001/mcp --site examples/site -c 'ls main_1'": (
        "the same"
    ),
}
"""Commands of sh fences that are not run here, and why."""


def commands(language: str) -> list[str]:
    """Return the lines of all sh fences, or the other fences as they are."""
    texts = [text for kind, text in FENCES if kind == language]
    return texts if language != "sh" else [line for text in texts for line in text.splitlines()]


def test_every_fence_says_what_it_is() -> None:
    assert {kind for kind, _ in FENCES} == {"sh", "domsh", "json", "yaml"}
    assert set(NOT_RUN) <= set(commands("sh"))


@pytest.mark.parametrize("command", [one for one in commands("sh") if one not in NOT_RUN])
def test_every_command_works(command: str) -> None:
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", command.replace(".venv/bin", PROGRAMS)],
        capture_output=True, text=True, timeout=LONGEST, check=False, cwd=ROOT,
        stdin=subprocess.DEVNULL,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert done.stdout


def of_gitlab(job: dict[str, Any]) -> tuple[list[str], list[str]]:
    """Return the commands of a job and what it keeps."""
    kept = job["artifacts"]
    assert kept["when"] == "always"
    return [*job["before_script"], *job["script"]], [*kept["paths"], kept["reports"]["junit"]]


def of_github(job: dict[str, Any]) -> tuple[list[str], list[str]]:
    """Return the commands of a job and what it keeps."""
    kept = [step for step in job["steps"] if step.get("uses", "").startswith("actions/upload-")]
    assert all(step["if"] == "always()" for step in kept)
    commands = [step["run"] for step in job["steps"] if "run" in step]
    return commands, [step["with"]["path"] for step in kept]


@pytest.mark.parametrize("system", ["gitlab", "github"])
def test_the_jobs_for_ci_work_in_a_fresh_checkout(system: str, tmp_path: Path) -> None:
    documents = [yaml.safe_load(text) for text in commands("yaml")]
    jobs = {"gitlab": documents[0]["checks"], "github": documents[1]["jobs"]["checks"]}
    script, kept = of_gitlab(jobs["gitlab"]) if system == "gitlab" else of_github(jobs["github"])
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    setups = [line for line in script if line.startswith("script/setup")]
    assert len(setups) == 1  # it makes .venv, which is there
    for line in script:
        if line in setups:
            continue
        done = subprocess.run(
            ["bash", "-euo", "pipefail", "-c", line.replace(".venv/bin", PROGRAMS)],
            capture_output=True, text=True, timeout=LONGEST, check=False, cwd=tmp_path,
            stdin=subprocess.DEVNULL,
        )  # fmt: skip
        assert done.returncode == 0, done.stdout + done.stderr
    assert kept
    assert all((tmp_path / name).exists() for name in kept)
    assert sum(suite.tests for suite in JUnitXml.fromfile(str(tmp_path / "reports/junit.xml")))


def test_the_commands_of_the_daemon_work_one_after_the_other() -> None:
    folder = tempfile.mkdtemp(prefix="domsh-t")
    try:
        runs = [
            subprocess.run(
                ["bash", "-c", command.replace(".venv/bin/domsh", DOMSH[0])],
                capture_output=True, text=True, timeout=LONGEST, check=False, cwd=ROOT,
                stdin=subprocess.DEVNULL, env={**os.environ, "XDG_RUNTIME_DIR": folder},
            )
            for command in DAEMON
        ]  # fmt: skip
    finally:
        shutil.rmtree(folder)  # a daemon without its folder ends
    assert [run.returncode for run in runs] == [0] * len(DAEMON), runs
    assert runs[2].stdout == "/main_1\n"


@pytest.mark.parametrize("session", commands("domsh"))
def test_every_session_works(session: str) -> None:
    ran = domsh_here("run", "-", "--site", str(ROOT / "examples/site"), stdin=session)
    assert ran.status == 0, ran.err
    assert not ran.err.startswith("0 passed")


def test_the_settings_for_mcp_clients_give_them_the_tools() -> None:
    (settings,) = commands("json")
    server = json.loads(settings)["mcpServers"]["domsh"]
    assert server["command"].endswith("/.venv/bin/domsh")

    async def tools() -> list[str]:
        child = StdioServerParameters(command=DOMSH[0], args=server["args"])
        async with asyncio.timeout(LONGEST), Client(stdio_client(child)) as client:
            return [tool.name for tool in (await client.list_tools()).tools]

    assert asyncio.run(tools()) == ["domshell_execute", "domshell_about"]


def test_the_table_of_commands_is_the_list_of_commands() -> None:
    table = README[README.index("## Commands") : README.index("\nConditions:")]
    cells = re.findall(r"^\| (.*?) \| ", table, re.MULTILINE)
    shown = {code.split()[0] for cell in cells for code in re.findall(r"`([^`]+)`", cell)}
    known = {command.name for command in names().values()}
    assert shown == known


def test_the_options_of_the_readme_exist() -> None:
    table = README[README.index("| option | means |") : README.index("Data goes to stdout")]
    for option in re.findall(r"^\| `(--\S+?)[ `]", table, re.MULTILINE):
        assert option in help_text()


def test_the_files_that_it_links_to_exist() -> None:
    for target in re.findall(r"\]\(([^)#]+)\)", README):
        assert "://" in target or (ROOT / target).exists(), target
