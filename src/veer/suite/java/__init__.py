"""Java as it is written: values for people, and suites that `java` runs."""
