"""What inputs of Java's types are made of: which classes, their fields, how tests make them."""
