"""``pytest --domsh``: batch files as tests, alone and with the plugins that people use."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from junitparser import Failure, JUnitXml, Skipped, TestCase

from tests.program import LONGEST, ROOT

SITE = f"--domsh-site={ROOT / 'examples/site'}"
FILES = {
    "front.domsh": "open $site/\nexpect title contains Leaf\n",
    "fails.domsh": 'mark "The title"\nopen $site/\nset patience 100ms\nexpect title is $want\n',
    "skips.domsh": 'skip "not today"\n',
    "checks/alone.domsh": (
        "open $site/\nlet kept = $(js document.cookie)\nexpect that \"$kept\" is '' --now\n"
        "js 'document.cookie = \"login=me\"'\n"
    ),
    "checks/second.domsh": (
        "open $site/\nlet kept = $(js document.cookie)\nexpect that \"$kept\" is '' --now\n"
        "js 'document.cookie = \"login=me\"'\n"
    ),
    "test_python.py": "def test_it():\n    print('from Python')\n",
}


def write(folder: Path, *names: str) -> None:
    """Write files into a project of its own."""
    (folder / "pytest.ini").write_text("[pytest]\n")
    for name in names or FILES:
        file = folder / name
        file.parent.mkdir(exist_ok=True)
        file.write_text(FILES[name])


def run(folder: Path, *options: str) -> subprocess.CompletedProcess[str]:
    """Run pytest as a user does, with warnings as errors."""
    environment = {name: value for name, value in os.environ.items() if "PYTEST" not in name}
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-W", "error", "-p", "no:cacheprovider", *options],
        capture_output=True, text=True, timeout=LONGEST, check=False, cwd=folder,
        env=environment, stdin=subprocess.DEVNULL,
    )  # fmt: skip


def cases(folder: Path) -> dict[str, TestCase]:
    """Return the cases of a report, the last try of each."""
    return {case.name: case for suite in JUnitXml.fromfile(str(folder / "j.xml")) for case in suite}


@pytest.fixture(scope="module")
def parallel(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """Run all files in two processes, each that fails twice; give the folder and the output."""
    folder = tmp_path_factory.mktemp("parallel")
    write(folder)
    done = run(
        folder, "--domsh", SITE, "--domsh-var=want=Me", "--domsh-artifacts=saved", "-n", "2",
        "--reruns", "1", "--junitxml=j.xml", "-rA",
    )  # fmt: skip
    assert done.returncode == 1, done.stdout + done.stderr
    return folder, done.stdout


def test_each_file_is_a_test(parallel: tuple[Path, str]) -> None:
    folder, out = parallel
    assert re.search(r"1 failed, 4 passed, 1 skipped, 1 rerun in", out)
    assert set(cases(folder)) == {"front", "fails", "skips", "alone", "second", "test_it"}
    assert cases(folder)["alone"].classname == "checks.alone.domsh"


def test_a_failure_is_told_as_run_tells_it(parallel: tuple[Path, str]) -> None:
    _, out = parallel
    assert "fails.domsh:4: expect title is $want (exit status 1)\n" in out
    assert "  expected title is 'Me', but saw 'Leaf & Kettle'\n" in out
    assert "Captured domsh call" in out
    assert "0 passed, 1 failed, 0 skipped\n" in out
    assert "Traceback" not in out


def test_a_skipped_file_says_why(parallel: tuple[Path, str]) -> None:
    folder, out = parallel
    assert "SKIPPED [1] skips.domsh:1: not today" in out
    (skipped,) = cases(folder)["skips"].result
    assert isinstance(skipped, Skipped)
    assert skipped.message == "not today"


def test_the_report_holds_the_output_of_the_last_try_and_its_artifacts(
    parallel: tuple[Path, str],
) -> None:
    folder, _ = parallel
    case = cases(folder)["fails"]
    assert [type(one) for one in case.result] == [Failure]
    said = str(case.system_out)
    assert said.count('$ mark "The title"') == 1
    attached = re.findall(r"\[\[ATTACHMENT\|(.+)\]\]", said)
    assert "page.png" in {Path(one).name for one in attached}
    assert {Path(one).parent.name for one in attached} == {"fails-line-4-2"}
    assert all((folder / one).stat().st_size for one in attached)
    assert "$ open $site/\nopened " in str(cases(folder)["front"].system_out)


def test_tests_in_python_are_reported_as_ever(parallel: tuple[Path, str]) -> None:
    folder, _ = parallel
    assert cases(folder)["test_it"].system_out is None


def test_mistakes_are_errors_of_the_collection_with_carets(tmp_path: Path) -> None:
    write(tmp_path, "skips.domsh")
    (tmp_path / "wrong.domsh").write_text("pwd\nlss -l\nls |\n")
    done = run(tmp_path, "--domsh")
    assert done.returncode == 2
    assert "wrong.domsh:2:1: 'lss' is no command\nlss -l\n^^^\n" in done.stdout
    assert "wrong.domsh:3:4: a command is missing after |\n" in done.stdout
    assert "1 error in" in done.stdout


def test_ini_keys_say_the_same(tmp_path: Path) -> None:
    write(tmp_path, "fails.domsh")
    (tmp_path / "shop").symlink_to(ROOT / "examples/site")
    (tmp_path / "pytest.ini").write_text(
        "[pytest]\ndomsh = true\ndomsh_site = shop\ndomsh_timeout = 20s\ndomsh_artifacts = saved\n"
        "domsh_var =\n    other=x\n    want=Leaf & Kettle\n"
    )
    done = run(tmp_path)
    assert done.returncode == 0, done.stdout
    assert run(tmp_path, "--domsh-var=want=Me").returncode == 1
    assert (tmp_path / "saved/fails-line-4/page.png").is_file()


@pytest.mark.parametrize(
    ("option", "said"),
    [
        ("--domsh-var=1x", "'1x' is not NAME=VALUE"),
        ("--domsh-site=none", "there is no folder 'none'"),
        ("--domsh-timeout=soon", "soon"),
        ("--domsh-state=login.json", "No such file"),
    ],
)
def test_an_option_that_is_wrong_is_one_line(option: str, said: str, tmp_path: Path) -> None:
    write(tmp_path, "skips.domsh")
    done = run(tmp_path, "--domsh", option)
    assert done.returncode == 4
    assert said in done.stdout + done.stderr
    assert "Traceback" not in done.stdout + done.stderr


def test_without_the_option_nothing_is_collected_and_nothing_imported(tmp_path: Path) -> None:
    write(tmp_path, "front.domsh")
    (tmp_path / "test_it.py").write_text(
        "import json, pathlib, sys\n\ndef test_it():\n"
        "    names = [n for n in sys.modules if n.split('.')[0] in\n"
        "             ('domsh_repl', 'mcp', 'prompt_toolkit', 'rich')]\n"
        "    pathlib.Path('loaded.json').write_text(json.dumps(sorted(names)))\n"
    )
    done = run(tmp_path)
    assert "1 passed" in done.stdout
    loaded = json.loads((tmp_path / "loaded.json").read_text())
    assert loaded == ["domsh_repl", "domsh_repl.pytest_plugin"]
