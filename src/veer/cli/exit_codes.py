"""What a command ends with (docs/design.md); an error of veer's own brings its code along (model/errors.py)."""

from __future__ import annotations

NOTHING_FOUND = 0
BUGS = 1
DIFFERENT = 1
"""`veer replay`: a test ended otherwise than it was recorded."""
MISSING = 1
"""`veer doctor`: something that veer needs is not there."""
USAGE = 2
FAILED = 3
INTERRUPTED = 130
EXIT_CODES = {
    NOTHING_FOUND: "nothing found",
    BUGS: "bugs found",
    USAGE: "the call was wrong",
    FAILED: "veer failed",
    INTERRUPTED: "stopped by Ctrl-C, SIGTERM or SIGHUP",
}
"""What the codes say, in a few words."""
