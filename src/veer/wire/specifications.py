"""What runs show of the specifications that watch them: which contents their registers had behind an event."""

from __future__ import annotations

from veer.wire.constants import MAX_SPECIFICATIONS, SPECIFICATION_STATES
from veer.wire.fields import Region, Section

SECTION = Section(
    regions=(
        # By specification and registers, the first register in the lowest bit: 1 = some run had them behind an event.
        # Of a specification with more registers the first mark alone says that it saw some.
        Region("specification_states", "u1", MAX_SPECIFICATIONS * SPECIFICATION_STATES),
    ),
)
