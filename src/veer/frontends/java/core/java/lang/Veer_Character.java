package java.lang;

import veer.Engine;

/** In the place of methods of Character. */
final class Veer_Character {
    static Character valueOf(char value) {
        return Engine.boxed(new Character(value));
    }

    /** Its message is written without String.format, which reaches the text of every class. */
    static char[] toChars(int point) {
        if (point >>> 16 == 0) return new char[] {(char) point};
        if (point >>> 16 < 17) return new char[] {Character.highSurrogate(point), Character.lowSurrogate(point)};
        byte[] digits = new byte[8];
        int first = 8;
        for (int rest = point; rest != 0; rest >>>= 4) digits[--first] = (byte) ((rest & 15) + ((rest & 15) < 10 ? '0' : 'A' - 10));
        String text = new String(java.util.Arrays.copyOfRange(digits, first, 8), (byte) 0);
        throw new IllegalArgumentException(new StringBuilder("Not a valid Unicode code point: 0x").append(text).toString());
    }
}
