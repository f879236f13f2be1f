"""Any text must give lines or mistakes, and lines must print: a long search for what does not.

    python -m tests.fuzz [EXAMPLES] [MINUTES]

First come EXAMPLES texts of hypothesis (100,000), then bytes at random for MINUTES (10). A text
that breaks a promise is printed, and the status is 1.
"""

from __future__ import annotations

import contextlib
import io
import random
import sys
import time
from dataclasses import replace

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from domsh_repl.batch.runner import load_script
from domsh_repl.errors import UsageError
from domsh_repl.language import Command, Line, ScriptErrors, parse_file, print_script

SEEDS = (
    "open $site/\nls main_1/* | grep -i 'x y' | head -3\n",
    'type name_input <<END\nline $x \\$\n\nEND\nlet x = $(ls -l | wc)\n-click "Sign in"\n',
    "set on-error continue; skip if not exists a 'no a'\ndefer click x && pwd; ls\n",
    "watch -n 1 --times 2 ls; pwd\nraw a | b $x\nexpect count a/* >= 3\n",
    "find --type link \\\n --css 'a[b]' > out || !jq . >> 'o u t' # end\n",
    "mark One; require chromium >= 9\nexpect that ${x} is 'y'\n",
    '\ufeffkeys "cd ma" Tab Enter\r\nelide /[0-9]+/ N\r\npause 300ms\r\n',
)
"""Texts that the mutations begin with; together they use all of the grammar."""
FRAGMENTS = tuple(
    part
    for row in (
        'ls¦wait¦click a¦-click¦open x¦ ¦;¦&&¦$x¦${x}¦$@¦$¦"$x¦"¦\'a b\'¦\'¦""¦&¦<¦>¦>> ¦#',
        "let x = $(¦)¦watch -n 1 --times 2 ¦defer ¦!a¦raw b¦skip if ¦mark ¦set ¦require ",
        "<<E\nE¦<<'E'\n¦\nE\n¦\n¦\r\n¦\ufeff¦é¦\x00¦source x¦expect count a > 1¦[¦*¦@a¦~",
        "\\ ¦\\$¦\\|¦\\\n¦|¦||¦\u2028¦\ud83d¦alias x = ",
    )
    for part in row.split("¦")
)
SCRIPTS = st.lists(st.sampled_from(FRAGMENTS) | st.text(max_size=4), max_size=20).map("".join)


def examine(text: str) -> None:
    """Read a text as a batch file, print what was read, and read that: nothing may be lost."""
    try:
        script = parse_file(text, "a.domsh")
    except ScriptErrors as found:
        _examine_mistakes(text, found)
        return
    again = parse_file(print_script(script), "a.domsh")
    assert list(map(_unplaced, again.lines)) == list(map(_unplaced, script.lines))


def _examine_mistakes(text: str, found: ScriptErrors) -> None:
    rows = text.split("\n")
    assert found.errors
    assert found.render()
    for one in found.errors:
        assert 1 <= one.line <= len(rows)
        assert 0 <= one.column <= len(one.source)


def _unplaced(line: Line) -> Line:
    """Return the line without its place and its spelling."""
    steps = (
        replace(
            step,
            command=_unplaced_command(step.command),
            filters=tuple(map(_unplaced_command, step.filters)),
        )
        for step in line.steps
    )
    return Line(tuple(steps), 0, "")


def _unplaced_command(command: Command) -> Command:
    nested = None if command.nested is None else _unplaced(command.nested)
    return replace(command, nested=nested)


def examine_bytes(data: bytes) -> None:
    """Check bytes as ``domsh check`` does, and what they say as text, in two ways."""
    with contextlib.suppress(ScriptErrors, UsageError):
        load_script("-", io.BytesIO(data))
    examine(data.decode(errors="replace"))


def mutated(chance: random.Random) -> bytes:
    """Return bytes that were once a batch file."""
    data = bytearray("".join(chance.choices(SEEDS, k=chance.randint(1, 2))).encode())
    for _ in range(chance.randint(1, 12)):
        at = chance.randrange(len(data) + 1)
        match chance.randrange(5):
            case 0:
                data[at:at] = chance.choice(FRAGMENTS).encode(errors="surrogatepass")
            case 1:
                data[at : at + chance.randint(1, 9)] = b""
            case 2:
                data[at : at + 1] = bytes([chance.randrange(256)])
            case 3:
                data[at:at] = chance.randbytes(chance.randint(1, 4))
            case _:
                data[at:at] = data[chance.randrange(len(data) + 1) :][: chance.randint(1, 30)]
    return bytes(data)


def fuzz_bytes(seed: int, *, seconds: float = float("inf"), most: int = sys.maxsize) -> int:
    """Examine bytes for so long, or so many; return how many there were."""
    chance, until, done = random.Random(seed), time.monotonic() + seconds, 0
    while done < most and time.monotonic() < until:
        data = mutated(chance)
        try:
            examine_bytes(data)
        except Exception:
            print(f"broken by {data!r}", file=sys.stderr)
            raise
        done += 1
    return done


def main(words: list[str]) -> int:
    """Search as long as the words say."""
    examples = int(words[0]) if words else 100_000
    minutes = float(words[1]) if len(words) > 1 else 10.0
    started = time.monotonic()
    checks = list(HealthCheck)
    settings(max_examples=examples, deadline=None, database=None, suppress_health_check=checks)(
        given(SCRIPTS)(examine)
    )()
    print(f"{examples} examples of hypothesis in {time.monotonic() - started:.0f} s", flush=True)
    seed = random.randrange(2**32)
    done = fuzz_bytes(seed, seconds=60 * minutes)
    print(f"{done} byte strings in {minutes:g} minutes (seed {seed})")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
