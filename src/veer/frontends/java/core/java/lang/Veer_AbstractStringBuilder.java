package java.lang;

/** In the place of methods of AbstractStringBuilder: digits are made as Integer.toString makes them. */
final class Veer_AbstractStringBuilder {
    static AbstractStringBuilder append(AbstractStringBuilder to, int value) {
        return to.append(Veer_Integer.toString(value));
    }

    static AbstractStringBuilder append(AbstractStringBuilder to, long value) {
        return to.append(Veer_Long.toString(value));
    }
}
