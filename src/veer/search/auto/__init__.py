"""`--search auto`: the plain search, which tries others of the same program beside itself (decision 0474)."""
