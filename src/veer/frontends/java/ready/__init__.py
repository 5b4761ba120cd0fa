"""veer's own Java, compiled: what a Java runtime without a javac needs (decision 0459)."""
