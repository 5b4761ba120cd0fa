"""SMART: search by function summaries (Godefroid, "Compositional dynamic test generation", POPL 2007)."""
