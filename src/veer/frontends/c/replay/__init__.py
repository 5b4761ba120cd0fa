"""The C replayer: the campaign's own harness, linked against a runtime that answers from a recorded run."""
