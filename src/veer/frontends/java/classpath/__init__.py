"""Where classes are found: directories, jars, and the `modules` file of a Java runtime."""
