package java.lang;

/** One directive of a form of String.format: %[flags][width][.precision]kind. */
final class VeerDirective {
    private static final int NONE = -1;

    final boolean isLeft, isPadded, hasPlus, hasSpace, isGrouped, isInParentheses;
    final int width, precision; // NONE where there is none
    final char kind;
    final int end; // the place behind it

    /** The one whose '%' stands before `start`. */
    VeerDirective(String form, int start) {
        boolean isLeft = false, isPadded = false, hasPlus = false, hasSpace = false, isGrouped = false, isInParentheses = false;
        boolean isTwice = false;
        int at = start;
        for (; at < form.length() && "-0+ ,(".indexOf(form.charAt(at)) >= 0; at++) {
            switch (form.charAt(at)) {
                case '-': isTwice |= isLeft; isLeft = true; break;
                case '0': isTwice |= isPadded; isPadded = true; break;
                case '+': isTwice |= hasPlus; hasPlus = true; break;
                case ' ': isTwice |= hasSpace; hasSpace = true; break;
                case ',': isTwice |= isGrouped; isGrouped = true; break;
                default: isTwice |= isInParentheses; isInParentheses = true; break;
            }
        }
        int behind = digitsEnd(form, at);
        width = behind == at ? NONE : Veer_Integer.parseInt(form.substring(at, behind));
        at = behind;
        if (at < form.length() && form.charAt(at) == '.') {
            behind = digitsEnd(form, at + 1);
            precision = behind == at + 1 ? NONE : Veer_Integer.parseInt(form.substring(at + 1, behind));
            isTwice |= precision == NONE; // as malformed as a flag that stands twice
            at = behind;
        } else {
            precision = NONE;
        }
        this.isLeft = isLeft;
        this.isPadded = isPadded;
        this.hasPlus = hasPlus;
        this.hasSpace = hasSpace;
        this.isGrouped = isGrouped;
        this.isInParentheses = isInParentheses;
        kind = at < form.length() && !isTwice ? form.charAt(at) : 0;
        end = at + 1;
    }

    private static int digitsEnd(String form, int start) {
        int at = start;
        while (at < form.length() && form.charAt(at) >= '0' && form.charAt(at) <= '9') at++;
        return at;
    }

    /** The kind in lower case. */
    char lowerKind() {
        return isUpper() ? (char) (kind + 32) : kind;
    }

    boolean isUpper() {
        return kind == 'S' || kind == 'B' || kind == 'C' || kind == 'X' || kind == 'E' || kind == 'G';
    }

    /** Whether it is one of those that the JVM takes and veer knows. */
    boolean isKnown() {
        if ((isLeft || isPadded) && width == NONE || isLeft && isPadded || hasPlus && hasSpace) return false;
        boolean hasOther = hasPlus || hasSpace || isGrouped || isInParentheses;
        switch (lowerKind()) {
            case 'n':
            case '%':
                return width == NONE && precision == NONE && !hasOther;
            case 's':
            case 'b':
                return !isPadded && !hasOther;
            case 'c':
                return precision == NONE && !isPadded && !hasOther;
            case 'x':
            case 'o':
                return precision == NONE && !hasOther;
            case 'd':
                return precision == NONE;
            case 'f':
                return true;
            case 'e':
            case 'g':
                return !isGrouped && !isInParentheses;
            default:
                return false;
        }
    }
}
