"""``python -m domsh_repl`` is ``domsh``."""

import sys

from domsh_repl.start import main

sys.exit(main())
