"""Recorded tests run again on the machine's JVM: the truth of each of them."""
