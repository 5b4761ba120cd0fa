package java.lang;

/** In the place of methods of AssertionError: the text of floats is not made. */
final class Veer_AssertionError {
    static void init(AssertionError made, float detail) {
        Throwable.hide(made);
    }

    static void init(AssertionError made, double detail) {
        Throwable.hide(made);
    }
}
