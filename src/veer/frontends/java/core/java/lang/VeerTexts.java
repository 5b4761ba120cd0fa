package java.lang;

/** Strings of bytes, and texts that nobody reads. */
public final class VeerTexts {
    private VeerTexts() {}

    /** The string of these characters below 256. */
    public static String latin1(byte[] units) {
        return new String(units, (byte) 0);
    }

    /** Has an object make its text, which is written: a number or a string makes none that could be told. */
    public static void write(Object value) {
        if (value == null || value instanceof String || value instanceof Character || value instanceof Boolean) return;
        if (value instanceof Integer || value instanceof Long || value instanceof Short || value instanceof Byte) return;
        if (value instanceof Double || value instanceof Float) return;
        boolean before = Veer_Object.isUnread;
        Veer_Object.isUnread = true;
        try {
            value.toString();
        } finally {
            Veer_Object.isUnread = before;
        }
    }

    /** Has a form filled in, which is written. */
    public static void writeFormatted(String form, Object... values) {
        VeerFormat.unread(form, values);
    }
}
