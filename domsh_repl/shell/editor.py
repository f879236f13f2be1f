"""The line that is being typed in the user's own editor: Ctrl-X Ctrl-E.

Writes the line into a file that only the user can read, and removes it again.
"""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import tempfile
from collections.abc import Mapping
from pathlib import Path

from domsh_repl.errors import Failed, NotFound
from domsh_repl.foreground import left_to_it
from domsh_repl.safetext import one_line

__all__ = ["edited"]

_USUAL = ("sensible-editor", "nano", "vi")


def edited(text: str, environment: Mapping[str, str] = os.environ) -> str:
    """Return a line as the editor left it; as it was where the editor failed.

    The editor is ``$VISUAL``, else ``$EDITOR``. Ctrl-C means it. Raises ``NotFound`` where there
    is none, and ``Failed``.
    """
    command = _editor(environment)
    with tempfile.TemporaryDirectory(prefix="domsh-") as folder:
        file = Path(folder) / "line.domsh"
        file.write_text(f"{text}\n", encoding="utf-8")
        try:
            with left_to_it():
                status = subprocess.call([*command, str(file)])  # noqa: S603  (the user's own)
            left = file.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise Failed(f"the line could not be edited: {one_line(str(error))}") from error
    return text if status else left.removesuffix("\n")


def _editor(environment: Mapping[str, str]) -> list[str]:
    for name in ("VISUAL", "EDITOR"):
        if environment.get(name, "").strip():
            try:
                command = shlex.split(environment[name])
            except ValueError as error:
                raise Failed(f"${name} cannot be read: {error}") from error
            if shutil.which(command[0]) is None:
                raise NotFound(f"there is no program {one_line(command[0], 60)}: ${name} names it")
            return command
    for program in _USUAL:
        if shutil.which(program) is not None:
            return [program]
    raise NotFound("there is no editor", "VISUAL or EDITOR in the environment names one")
