package veer;

/** Stands for the classes of numbers, int.class and its kin, by their letters; V for void.class. */
public final class Primitive {
    private Primitive() {}

    public static final class Z {}

    public static final class B {}

    public static final class C {}

    public static final class S {}

    public static final class I {}

    public static final class J {}

    public static final class F {}

    public static final class D {}

    public static final class V {}
}
