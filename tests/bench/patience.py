"""Whether a script without a wait passes on a page that is never ready, again and again.

Run it by hand: ``python -m tests.bench.patience [RUNS]``. Each run has another seed for the
page's delays. All of them must pass, and the page must have got each input once.
"""

from __future__ import annotations

import statistics
import sys
import time
from dataclasses import replace

from domsh_repl.errors import DomshError
from tests.program import ROOT
from tests.sessions import Shell, running_shell
from tests.site_server import serving

PATIENCE = 5.0
LINES = (
    'click "Begin"',
    "expect text main_1/step is begun",
    'fill "Name" Ada',
    'select "Kind" Green',
    'check "Agree"',
    'click "Send"',
    "expect text main_1/step is sent",
    "expect text main_1/count is '1 clicks, 1 typed, 1 chosen, 1 ticked, 1 sent'",
)
_RUNS = 200


def run(shell: Shell, site: str, seed: int) -> list[DomshError]:
    """Run the script on the page with a seed; return what went wrong, with the line that did."""
    shell.session.settings = replace(shell.session.settings, patience=PATIENCE)
    for line in (f"open {site}/flaky.html?seed={seed}", *LINES):
        if shell.run(line):
            return list(shell.screen.errors)
    return []


def main() -> int:
    """Run the script as often as wanted and print what came of it."""
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else _RUNS
    times, failures = [], []
    with serving(ROOT / "tests" / "pages") as site, running_shell() as shell:
        for seed in range(1, runs + 1):
            started = time.perf_counter()
            errors = run(shell, site, seed)
            times.append(time.perf_counter() - started)
            failures += [(seed, error.message) for error in errors]
    print(
        f"{runs - len(failures)} of {runs} passed, {statistics.median(times):.1f} s each (median)"
    )
    for seed, message in failures:
        print(f"  seed {seed}: {message}")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
