"""Decides which scanned nodes could match a query: never too few, seldom many too many.

What the scan reports of a node is not always what the tree will say: text may be transformed
by CSS, blanks are folded, a name is the label's slug with a suffix and perhaps a number. So
each text is tried in every form that it can take in the tree.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from fnmatch import translate

from domsh_repl.engine.naming import Nameable, base_name
from domsh_repl.engine.query import Query
from domsh_repl.roles import SUFFIXES

__all__ = ["Prefilter", "Row", "accepted_roles"]

Row = tuple[str, str | None, str, int]
"""Kind, name, role and the row around a scanned node, as ``scan.js`` describes them."""

_BLANKS = re.compile("[ \t\n\r\f]+")  # no others are collapsed in HTML
_LITERAL = re.compile(r"[^\W\d_]+")
_SLACK = 8
# more than one where versions of Chromium differ
_BULLETS = {"disc": ("• ",), "circle": ("◦ ", "○ "), "square": ("▪ ", "■ ")}
_SAMPLE_NUMBERS = (*range(1, 100), *range(100, 113), *range(1000, 1013), *range(10000, 10013))
_MARKER_ROLES = ("ListMarker", "StaticText")
# computedRole speaks ARIA; the tree prefers its own word for these
_ROLE_SYNONYMS = {"img": "image", "image": "img"}
_INTERNAL_ROLE = re.compile(r"[A-Z]")


class Prefilter:
    """Candidates for one query; ``transforms`` says that the page changes the case of text."""

    def __init__(self, query: Query, *, transforms: bool, nodes: int) -> None:
        self._query = query
        self._transforms = transforms
        self._nodes = nodes
        self._fits = _text_test(query)
        self._name_fits = _name_test(query)
        self._numbered: dict[str, bool] = {}
        self._based: dict[str, bool] = {}
        self._bases: Counter[str] = Counter()
        self._unlabelled = 0  # these may take any base from their description

    def candidates(self, rows: Sequence[Row]) -> Iterator[int]:
        """Yield the places of the rows that could match."""
        if self._name_fits is not None:
            self._bases.update(base_name(Nameable(role, name or "")) for _, name, role, _ in rows)
            self._unlabelled = sum(row[0] == "a" and not row[1] for row in rows)
        for place, row in enumerate(rows):
            if self._possible(row):
                yield place

    def _possible(self, row: Row) -> bool:
        kind, name, role, _ = row
        if kind in "fzhc":
            return kind == "c"
        if kind == "a":
            return self._role_possible(role)
        if kind == "l":
            return self._marker_possible(name or "")
        if kind == "g":
            return name is None or self._text_possible(name) or self._named(name, "StaticText")
        if kind == "t":
            return self._text_possible(name or "") or self._named(name or "", "StaticText")
        return self._role_possible(role) and (
            self._text_possible(name or "") or self._named(name or "", role)
        )

    def _role_possible(self, role: str) -> bool:
        accepted = accepted_roles(self._query)
        return not accepted or role in accepted

    def _text_possible(self, text: str) -> bool:
        return self._fits is not None and any(map(self._fits, self._forms(text)))

    def _forms(self, text: str) -> Iterator[str]:
        folded = _BLANKS.sub(" ", text)
        for form in {text, folded, folded.strip()}:
            yield form
            if self._transforms:
                yield form.upper()
                yield form.lower()
                yield " ".join(word[:1].upper() + word[1:] for word in form.split(" "))

    def _named(self, label: str, role: str) -> bool:
        """Tell whether the name could match: the base, or the base with a number."""
        test = self._name_fits
        if test is None:
            return False
        if not role:
            return True  # one of Chromium's own roles: the page does not know how it names it
        # the tree leaves some nodes unnamed for which the page computes a name (caption)
        if role not in SUFFIXES and self._numbered_possible(role):
            return True
        base = base_name(Nameable(role, label))
        if not base:
            return False
        known = self._based.get(base)
        if known is None:
            known = self._based[base] = test(base) or self._with_number(
                base, test, self._most(base)
            )
        return known

    def _most(self, base: str) -> int:
        """Return how far duplicates can be numbered; 0 when it is the only one of its base."""
        count = self._bases[base] + self._unlabelled
        # more where other names are in the way: "x 2" between two "x"
        return count + _SLACK if count > 1 or base[-1].isdigit() else 0

    def _numbered_possible(self, role: str) -> bool:
        known = self._numbered.get(role)
        if known is None:
            test = self._name_fits
            assert test is not None
            known = test(f"{role}_1") or self._with_number(role, test, self._nodes)
            self._numbered[role] = known
        return known

    def _with_number(self, base: str, test: Callable[[str], bool], most: int) -> bool:
        if not most or not self._numbers_matter(base):
            return False
        numbers = range(1, most + 1) if self._digits_named else _SAMPLE_NUMBERS
        return any(test(f"{base}_{number}") for number in numbers)

    @property
    def _digits_named(self) -> bool:
        source = self._query.pattern.source if self._query.pattern else self._query.name
        return any(character.isdigit() for character in source)

    def _numbers_matter(self, base: str) -> bool:
        """Skip the many tests when nothing in the query could meet a number."""
        if self._query.pattern is None:
            return base in self._query.name or any(c in self._query.name for c in "*?[")
        source = self._query.pattern.source
        return _LITERAL.fullmatch(source) is None

    def _marker_possible(self, style: str) -> bool:
        if style == "none":
            return False
        fits = self._fits
        if style in _BULLETS:
            texts = _BULLETS[style]
            labelled = fits is not None and any(map(fits, texts))
            # where an item has another role its marker is plain text
            return labelled or any(self._named(texts[0], role) for role in _MARKER_ROLES)
        if style == "decimal" and self._query.pattern is None and fits is not None:
            return any(fits(f"{number}. ") for number in range(self._nodes + 1))
        return True


def accepted_roles(query: Query) -> tuple[str, ...]:
    """Return the computed roles that the wanted roles can have in the page; none: any."""
    wanted = query.roles or frozenset(filter(None, [query.role]))
    synonyms = [role for role, other in _ROLE_SYNONYMS.items() if other in wanted]
    internal = [""] if any(map(_INTERNAL_ROLE.search, wanted)) else []
    return (*sorted(wanted), *synonyms, *internal)


def _text_test(query: Query) -> Callable[[str], bool] | None:
    """Return the test of a label, or None where labels do not matter to the query."""
    if query.label:
        part = query.label.casefold()
        return lambda text: part in text.casefold()
    whole = query.exact_label or query.folded_label
    if whole:
        folded = " ".join(whole.casefold().split())
        return lambda text: " ".join(text.casefold().split()) == folded
    if query.pattern is not None:
        return query.pattern.search
    if query.name:
        return None
    return lambda _text: True


def _name_test(query: Query) -> Callable[[str], bool] | None:
    if query.pattern is not None:
        return query.pattern.search
    if query.name:
        match = re.compile(translate(query.name)).match
        return lambda name: match(name) is not None
    return None
