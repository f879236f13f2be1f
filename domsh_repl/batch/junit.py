"""Results of batch files as JUnit XML, which CI systems read.

One test suite a file, one test case a section. The shape is what Jenkins and GitLab agree about
(tests/data/junit.xsd); an artifact is ``[[ATTACHMENT|path]]`` in the output of its case.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from xml.etree import ElementTree as ET

from domsh_repl.batch.events import LineRun, Problem, RunResult, Section
from domsh_repl.errors import Interrupted, NotConnected
from domsh_repl.nodes import View
from domsh_repl.safetext import escape_block

__all__ = ["junit_xml", "transcript"]

Draw = Callable[[object, View], str]
_NOT_IN_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""What XML 1.0 has no way to write (§2.2)."""


def junit_xml(
    results: Sequence[RunResult], draw: Draw, properties: Mapping[str, str] | None = None
) -> str:
    """Return the document; ``draw`` gives the text of a value, ``properties`` the versions."""
    suites = [_suite(result, draw, properties or {}) for result in results]
    root = ET.Element("testsuites", _counts(suites), name="domsh")
    root.extend(suites)
    ET.indent(root, " ")
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ET.tostring(root, "unicode") + "\n"


def _counts(suites: Sequence[ET.Element]) -> dict[str, str]:
    total = {
        name: str(sum(int(suite.get(name, "0")) for suite in suites))
        for name in ("tests", "failures", "errors", "skipped")
    }
    return {**total, "time": _seconds(sum(float(suite.get("time", "0")) for suite in suites))}


def _suite(result: RunResult, draw: Draw, properties: Mapping[str, str]) -> ET.Element:
    cases = list(_cases(result, draw))
    counted = {
        "tests": len(cases),
        "failures": sum(case.find("failure") is not None for case in cases),
        "errors": sum(case.find("error") is not None for case in cases),
        "skipped": sum(case.find("skipped") is not None for case in cases),
    }
    counts = {name: str(number) for name, number in counted.items()}
    suite = ET.Element("testsuite", counts, name=_safe(result.file), time=_seconds(result.seconds))
    if properties:
        held = ET.SubElement(suite, "properties")
        for name, value in properties.items():
            ET.SubElement(held, "property", name=_safe(name), value=_safe(value))
    suite.extend(cases)
    return suite


def _cases(result: RunResult, draw: Draw) -> Iterable[ET.Element]:
    names = _Names(result.file)
    last = result.sections[-1] if result.sections else None
    for section in result.sections:
        if not section.label and not section.lines and len(result.sections) > 1:
            continue
        case = names.case(section.label, section.seconds)
        if section.failure is not None:
            _failed(case, section.failure)
        elif section is last and result.skipped:
            ET.SubElement(case, "skipped", message=_safe(result.skipped))
        elif section is last and (result.problems or _is_unexplained(result)):
            _broken(case, result.problems, result.status)
        said = transcript(section, draw)
        if said or section.artifacts:
            ET.SubElement(case, "system-out").text = _safe(said + section.attachments)
        yield case
    if last is None:
        case = names.case("", result.seconds)
        _broken(case, result.problems, result.status)
        yield case
    for label in result.unreached:
        case = names.case(label, 0)
        ET.SubElement(case, "skipped", message="the file ended before it")
        yield case


def _is_unexplained(result: RunResult) -> bool:
    """Tell whether a file failed and none of its lines did: Ctrl-C came between two of them."""
    return bool(result.status) and all(one.failure is None for one in result.sections)


class _Names:
    """Names of the test cases of a file, the same in each run, each once."""

    def __init__(self, file: str) -> None:
        path = Path(file)
        parts = [part for part in path.parts if part not in (path.anchor, "..")]
        self._class = ".".join([*parts[:-1], path.stem]) if parts else file
        self._stem = path.stem or file
        self._given: dict[str, int] = {}

    def case(self, label: str, seconds: float) -> ET.Element:
        """Return the case of a section; the lines before the first mark are called as the file."""
        name = label or self._stem
        self._given[name] = number = self._given.get(name, 0) + 1
        shown = name if number == 1 else f"{name} ({number})"
        return ET.Element(
            "testcase", classname=_safe(self._class), name=_safe(shown), time=_seconds(seconds)
        )


def _failed(case: ET.Element, line: LineRun) -> None:
    kind = "error" if line.status == NotConnected.exit_status else "failure"
    first = line.problems[0] if line.problems else None
    message = first.message if first else f"exit status {line.status}"
    told = ET.SubElement(case, kind, message=_safe(message), type=first.code if first else "failed")
    rows = [f"{line.where}: {line.text} (exit status {line.status})"]
    told.text = _safe("\n".join([*rows, *_told(line.problems)]))


def _broken(case: ET.Element, problems: Sequence[Problem], status: int) -> None:
    if not problems and status == Interrupted.exit_status:
        problems = [Problem(Interrupted.code, "interrupted between two lines", "", "")]
    first = problems[0] if problems else Problem("failed", f"exit status {status}", "", "")
    told = ET.SubElement(case, "error", message=_safe(first.message), type=first.code)
    told.text = _safe("\n".join(_told(problems)))


def _told(problems: Iterable[Problem]) -> list[str]:
    return [row for problem in problems for row in problem.told]


def transcript(section: Section, draw: Draw) -> str:
    """Return the lines of a section with what each of them printed, safe for a terminal."""
    rows: list[str] = []
    for line in section.lines:
        rows.append(f"$ {line.text}")
        for row in line.rows:
            if isinstance(row, Problem):
                rows += row.told
            else:
                rows += filter(None, [draw(row.value, row.view)])
    return escape_block("\n".join(rows)) + "\n" if rows else ""


def _seconds(seconds: float) -> str:
    return f"{seconds:.3f}"


def _safe(text: str) -> str:
    """Return a text with what XML cannot hold written as an escape."""
    return _NOT_IN_XML.sub(lambda found: f"\\u{ord(found.group()):04x}", text)
