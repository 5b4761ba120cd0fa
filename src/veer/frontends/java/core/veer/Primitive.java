package veer;

/** Stands for the classes of numbers: int.class and its kin are one object. */
public final class Primitive {
    private Primitive() {}
}
