"""The file of a kept login: JSON that only its owner can read, checked when it is read back."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from domsh_repl.commands.textfile import path_named, read_text, save_text
from domsh_repl.errors import Failed
from domsh_repl.jsonform import decode, encode
from domsh_repl.logins import Login
from domsh_repl.safetext import one_line

__all__ = ["read_login", "write_login"]

_FORMAT = "domsh-state"
_VERSION = 1


def write_login(path: Path, login: Login, *, force: bool) -> None:
    """Write a login (0600, at once); raises ``Failed``, as where the file is there already."""
    data = {"format": _FORMAT, "version": _VERSION, **encode(login)}
    save_text(path, json.dumps(data, indent=1) + "\n", force=force, private=True)


def read_login(name: str | Path) -> Login:
    """Return the login in a file; raises ``Failed`` for what is none, without a word of it."""
    path = path_named(str(name))
    text = read_text(path)
    try:
        data = json.loads(text)
        if _is_ours(data):
            login = decode(Login, data)
            _require_texts(login)
            return login
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        pass  # from None, below: a cause would hold what stands in the file
    shown = one_line(str(path), 100)
    raise Failed(f"{shown} is no file of `state save`", "`state save FILE` writes one")


def _is_ours(data: Any) -> bool:
    return isinstance(data, dict) and (data.get("format"), data.get("version")) == (
        _FORMAT,
        _VERSION,
    )


def _require_texts(login: Login) -> None:
    """Raise ``TypeError`` where something is not what it has to be."""
    texts = [
        part
        for one in login.cookies
        for part in (one.name, one.value, one.domain, one.path, one.same_site, one.priority)
    ]
    for stored in login.origins:
        items = (*stored.local_storage, *stored.session_storage)
        texts += [stored.origin, *(part for item in items for part in (item.key, item.value))]
    if not all(type(text) is str for text in texts):
        raise TypeError
    for one in login.cookies:
        if not isinstance(one.expires, (int, float, type(None))):
            raise TypeError
