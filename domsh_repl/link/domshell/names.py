"""DOMShell's names for entries, and the names that they are shown under here.

DOMShell numbers what has no usable label by a node id that changes with each load
(``main_22``); such an entry is shown as ``role_N``, N over all siblings of the role, and no
shown name begins with a dash (docs/design.md, 9). The wire's own name stays what a line is made of.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from domsh_repl.roles import SUFFIXES

__all__ = ["base_name", "label_fits", "shown_names", "slug", "without_number"]

_LIMIT = 40
"""Characters of a label that go into a name, before the suffix."""
_DROPPED = re.compile(r"[^a-z0-9_\s-]")
_BLANKS = re.compile(r"\s+")
_NUMBERED = re.compile(r"(.+)_([0-9]+)")


def slug(text: str) -> str:
    """Return what DOMShell keeps of a label; "" where it keeps nothing."""
    kept = _DROPPED.sub("", text.lower()).strip()
    return _BLANKS.sub("_", kept)[:_LIMIT]


def base_name(role: str, label: str) -> str:
    """Return the name that DOMShell makes of a label, before duplicates are told apart.

    "" stands for a name made of the role and a node id.
    """
    found, suffix = slug(label), SUFFIXES.get(role)
    if found:
        return f"{found}_{suffix}" if suffix else found
    return f"{role}_{suffix}" if suffix else ""


def label_fits(label: str, name: str, role: str) -> bool:
    """Tell whether DOMShell's ``name`` for a node of this role was made of ``label``.

    The number of a duplicate is not looked at. A label without an ASCII letter or digit fits
    any name that says nothing but the role.
    """
    base = base_name(role, label)
    if not base:
        return bool(label.strip()) and _by_node_id(name, role)
    return base in (name, without_number(name))


def without_number(name: str) -> str:
    """Return a name without the ``_2`` that tells a duplicate apart."""
    found = _NUMBERED.fullmatch(name)
    return found.group(1) if found else name


def shown_names(siblings: Sequence[tuple[str, str]]) -> list[str]:
    """Return what siblings, each DOMShell's name and the role, are called here: all different."""
    bases = _bases(siblings)
    names = _numbered_roles(siblings, bases)
    taken = set(filter(None, names))
    for place, base in enumerate(bases):
        if base:
            names[place] = _free(base, taken)
            taken.add(names[place])
    return names


def _bases(siblings: Sequence[tuple[str, str]]) -> list[str]:
    """Return the names that say something; "" for those made of the role and a node id."""
    told: Counter[str] = Counter()
    bases = []
    for name, role in siblings:
        plain = _without_dashes(name, role)
        duplicate = name == f"{role}_{told[role] + 1}" and told[role] > 0
        if name == role or duplicate:
            told[role] += 1
        bases.append("" if _by_node_id(name, role) and not duplicate else plain)
    return bases


def _by_node_id(name: str, role: str) -> bool:
    """Tell whether a name is the role and a node id; the ids of text boxes are negative."""
    return role not in SUFFIXES and re.fullmatch(rf"{re.escape(role)}_-?[0-9]+", name) is not None


def _without_dashes(name: str, role: str) -> str:
    plain = name.lstrip("-")
    suffix = SUFFIXES.get(role)
    return f"{role}{plain}" if suffix and plain == f"_{suffix}" != name else plain


def _numbered_roles(siblings: Sequence[tuple[str, str]], bases: Sequence[str]) -> list[str]:
    counted: Counter[str] = Counter()
    names = []
    for (_, role), base in zip(siblings, bases, strict=True):
        counted[role] += 1
        names.append("" if base else f"{role or 'node'}_{counted[role]}")
    return names


def _free(base: str, taken: set[str]) -> str:
    name, number = base, 1
    while name in taken:
        number += 1
        name = f"{base}_{number}"
    return name
