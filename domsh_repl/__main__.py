"""``python -m domsh_repl`` is ``domsh``."""

import sys

from domsh_repl.cli import main

sys.exit(main())
