"""`python -m veer`."""

from __future__ import annotations

import sys

from veer.cli.app import main

if __name__ == "__main__":
    sys.exit(main())
