"""Old findings: a baseline keeps what was found once, so that only what is new is told.

A finding is known by its rule, role, label and landmark, never by its path, which changes with
everything around it. The file is JSON that can be read and compared line by line.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Sequence

from domsh_repl.errors import Failed
from domsh_repl.reports import Finding

__all__ = ["Key", "new_among", "parse_baseline", "write_baseline"]

Key = tuple[str, str, str, str]
"""Rule, role, label and landmark."""
_FORMAT = "domsh-a11y-baseline"
_FIELDS = ("rule", "role", "label", "landmark")


def _key(finding: Finding) -> Key:
    return (finding.rule, finding.role, finding.label, finding.landmark)


def new_among(findings: Iterable[Finding], known: Sequence[Key]) -> tuple[Finding, ...]:
    """Return the findings that a baseline has not; of several alike as many as it lacks."""
    left = Counter(known)
    found = []
    for finding in findings:
        key = _key(finding)
        if left[key]:
            left[key] -= 1
        else:
            found.append(finding)
    return tuple(found)


def write_baseline(findings: Iterable[Finding]) -> str:
    """Return the text of a baseline that has these findings, a line each."""
    known = sorted(map(_key, findings))
    lines = [json.dumps(dict(zip(_FIELDS, key, strict=True)), ensure_ascii=True) for key in known]
    inside = ",\n".join(f"  {line}" for line in lines)
    return f'{{"format": "{_FORMAT}", "version": 1, "findings": [\n{inside}\n]}}\n'


def parse_baseline(text: str) -> list[Key]:
    """Return what a baseline has; raises ``Failed`` for a text that is none."""
    try:
        read = json.loads(text)
        if (read["format"], read["version"]) == (_FORMAT, 1):
            return [_read_key(item) for item in read["findings"]]
        error: Exception = ValueError()
    except (ValueError, KeyError, TypeError, RecursionError) as caught:
        error = caught
    hint = "a11y --baseline FILE --update writes one"
    raise Failed("it is no baseline of `a11y`", hint) from error


def _read_key(item: dict[str, object]) -> Key:
    rule, role, label, landmark = (item[name] for name in _FIELDS)
    return str(rule), str(role), str(label), str(landmark)
