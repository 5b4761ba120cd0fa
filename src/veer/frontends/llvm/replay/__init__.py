"""Native tests run again: the campaign's own harness, linked with a runtime that answers from a recorded run."""
