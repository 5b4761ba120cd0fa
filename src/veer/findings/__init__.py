"""What is made of a finished search: tests, bugs, coverage, and the reasons for what is left."""
