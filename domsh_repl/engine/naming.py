"""Names of entries: DOMShell's slugs and suffixes, unique among siblings, with no node ids.

Where DOMShell loses information this does better (docs/design.md, 9): letters and digits of every
script stay, a name never starts with a dash, what DOMShell numbers by a changing node id is
``role_N`` with N counted over all siblings of that role, and two siblings never share a name.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from domsh_repl.roles import SUFFIXES

__all__ = ["NAME_LIMIT", "Nameable", "base_name", "names_of", "slug"]

NAME_LIMIT = 40
"""Characters of a label that go into a name, before the suffix."""

_BLANKS = re.compile(r"\s+")
# Marks belong to letters (Devanagari vowels, Arabic points); blanks, _ and - are DOMShell's.
_KEPT_CATEGORIES = frozenset({"Lu", "Ll", "Lt", "Lm", "Lo", "Mn", "Mc", "Nd", "Nl", "No"})
# Letters and marks that nobody can see (Unicode's Default_Ignorable_Code_Point): joiners of
# graphemes, fillers, variation selectors
_INVISIBLE = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]"
)


@dataclass(frozen=True, slots=True)
class Nameable:
    """What a name is made of."""

    role: str
    label: str
    description: str = ""


def _kept(character: str) -> bool:
    if character.isascii():
        return character.isalnum() or character in "_- \t\n\r\f\v"
    return character.isspace() or unicodedata.category(character) in _KEPT_CATEGORIES


def slug(text: str) -> str:
    """Return the part of a name that comes from a label or description; "" when none is usable."""
    visible = _INVISIBLE.sub("", text[: NAME_LIMIT * 64])
    lowered = unicodedata.normalize("NFC", visible).lower()
    kept = "".join(filter(_kept, lowered)).strip()
    if not any(character.isalnum() or character in "_-" for character in kept):
        return ""  # marks alone have nothing to stand on
    return _BLANKS.sub("_", kept)[:NAME_LIMIT].lstrip("-")


def base_name(node: Nameable) -> str:
    """Return the name before duplicates are told apart; "" when only the role is left to say."""
    found = slug(node.label) or slug(node.description)
    suffix = SUFFIXES.get(node.role)
    if found:
        return f"{found}_{suffix}" if suffix else found
    return f"{node.role}_{suffix}" if suffix else ""


def names_of(siblings: Sequence[Nameable]) -> list[str]:
    """Return the siblings' names, in their order, all different.

    Numbered roles come first, so that ``paragraph_3`` is ``paragraph[2]`` whatever else is
    called so; the rest are numbered ``_2``, ``_3`` per base name in document order.
    """
    bases = [base_name(node) for node in siblings]
    names = _numbered_roles(siblings, bases)
    taken = set(filter(None, names))
    seen: Counter[str] = Counter()
    for place, base in enumerate(bases):
        if not base:
            continue
        seen[base] += 1
        name = base if seen[base] == 1 else f"{base}_{seen[base]}"
        while name in taken:
            seen[base] += 1
            name = f"{base}_{seen[base]}"
        taken.add(name)
        names[place] = name
    return names


def _numbered_roles(siblings: Iterable[Nameable], bases: Sequence[str]) -> list[str]:
    counted: Counter[str] = Counter()
    names = []
    for node, base in zip(siblings, bases, strict=True):
        counted[node.role] += 1
        names.append("" if base else f"{node.role or 'node'}_{counted[node.role]}")
    return names
