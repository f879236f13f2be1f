"""One node of Chromium's accessibility tree (CDP Accessibility.AXNode) as a value."""

from __future__ import annotations

from collections.abc import Mapping
from ctypes import c_float
from dataclasses import dataclass, field
from typing import Any

from domsh_repl.aria import PASSWORD_MASK
from domsh_repl.nodes import Kind, Value
from domsh_repl.roles import ALWAYS_DIRECTORY, INTERACTIVE, TEXT_LEAVES

__all__ = ["AxNode", "parse_ax_node", "shown_id"]

_DIGITS_OF_32_BITS = 10
_TRUE_WHEN_SET = (
    "disabled", "expanded", "focused", "selected", "required", "readonly", "busy", "modal",
    "multiline", "multiselectable",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class AxNode:
    """An accessibility node; ``id`` is unique in its session, ``backend`` names its DOM node."""

    id: str
    parent_id: str
    ignored: bool
    role: str
    name: str
    name_from: str
    description: str
    value: Value
    child_ids: tuple[str, ...]
    backend: int
    properties: Mapping[str, Any] = field(default_factory=dict)

    @property
    def is_wrapper(self) -> bool:
        """True when its children take its place in a listing."""
        return _is_wrapper(self.role, self.name, ignored=self.ignored)

    @property
    def kind(self) -> Kind:
        """DOMShell's sort of node; a text leaf is static whatever Chromium keeps inside it."""
        if self.role in INTERACTIVE:
            return Kind.INTERACTIVE
        if self.role in TEXT_LEAVES:
            return Kind.STATIC
        if self.child_ids or self.role in ALWAYS_DIRECTORY:
            return Kind.DIRECTORY
        return Kind.STATIC

    @property
    def states(self) -> tuple[str, ...]:
        """The states that hold (docs/language.md §5), in a fixed order."""
        get = self.properties.get
        found = [name for name in ("checked", "pressed") if get(name) in ("true", True)]
        if "mixed" in (get("checked"), get("pressed")):
            found.append("mixed")
        # busy is a number and a document without any focus calls itself focused
        found += [name for name in _TRUE_WHEN_SET if get(name) in (True, 1, "true")]
        if get("invalid") not in (None, False, "false", ""):
            found.append("invalid")
        return tuple(found)


def _is_wrapper(role: str, name: str, *, ignored: bool) -> bool:
    return ignored or role in ("none", "Ignored", "") or (role == "generic" and not name)


def shown_id(data: Mapping[str, Any]) -> str | None:
    """Return the id of a node in a reply, None for a wrapper, without parsing all of it."""
    role = str((data.get("role") or {}).get("value", ""))
    name = str((data.get("name") or {}).get("value", ""))
    wrapper = _is_wrapper(role, name, ignored=bool(data.get("ignored")))
    return None if wrapper else str(data["nodeId"])


def parse_ax_node(data: Mapping[str, Any]) -> AxNode:
    """Return the node that a reply of the Accessibility domain describes."""
    name = data.get("name") or {}
    return AxNode(
        id=data["nodeId"],
        parent_id=data.get("parentId", ""),
        ignored=bool(data.get("ignored")),
        role=str((data.get("role") or {}).get("value", "")),
        name=str(name.get("value", "")),
        name_from=_name_source(name),
        description=str((data.get("description") or {}).get("value", "")),
        value=_value(data),
        child_ids=tuple(data.get("childIds") or ()),
        backend=int(data.get("backendDOMNodeId") or 0),
        properties={
            item["name"]: item.get("value", {}).get("value")
            for item in data.get("properties") or ()
        },
    )


def _name_source(name: Mapping[str, Any]) -> str:
    for source in name.get("sources") or ():
        if "value" in source and not source.get("superseded"):
            return str(
                source.get("nativeSource") or source.get("attribute") or source.get("type") or ""
            )
    return ""


def _value(data: Mapping[str, Any]) -> Value:
    value = (data.get("value") or {}).get("value")
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return PASSWORD_MASK if value and not value.strip("•") else value
    if isinstance(value, float):
        return _shortest(value)
    return value if isinstance(value, int) else None


def _shortest(value: float) -> float:
    """Return the shortest number that becomes this one in 32 bits, as Chromium keeps numbers.

    A page's 12345.678 comes as 12345.677734375.
    """
    for digits in range(1, _DIGITS_OF_32_BITS):
        short = float(f"{value:.{digits}g}")
        if c_float(short).value == value:
            return short
    return value
