"""All rules, in the order in which their findings are told (docs/accessibility.md)."""

from __future__ import annotations

from collections.abc import Sequence

from domsh_repl.audit.document import DOCUMENT_RULES
from domsh_repl.audit.labels import LABEL_RULES
from domsh_repl.audit.reviews import REVIEW_RULES
from domsh_repl.audit.rule import Level, Rule
from domsh_repl.audit.structure import STRUCTURE_RULES

__all__ = ["NOT_CHECKED", "RULES"]

_ORDER = (Level.FAIL, Level.PRACTICE, Level.REVIEW)
_ALL: Sequence[Rule] = (*LABEL_RULES, *STRUCTURE_RULES, *DOCUMENT_RULES, *REVIEW_RULES)

RULES: Sequence[Rule] = sorted(_ALL, key=lambda rule: _ORDER.index(rule.level))
"""Every rule: what fails first, what is to be reviewed last."""

NOT_CHECKED = (
    "contrast",
    "whether labels and alternatives are right",
    "keyboard operation and focus order",
    "captions",
    "reflow and zoom",
    "motion",
    "error messages",
    "what appears only after an action",
)
"""What the tree cannot answer, so that no rule asks it."""
