"""Generated C programs, all of their inputs tried on gcc's build, against what veer says of them (decision 0270)."""
