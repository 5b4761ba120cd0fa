package java.io;

/** In the place of methods of DataInputStream: JDK 25's ask the runtime for what is within an array. */
final class Veer_DataInputStream {
    static String readUTF(DataInput in) throws IOException {
        int size = in.readUnsignedShort();
        byte[] all = new byte[size];
        in.readFully(all, 0, size);
        char[] made = new char[size];
        int at = 0, count = 0;
        while (at < size) {
            int first = all[at] & 255;
            int length = first < 128 ? 1 : first >> 5 == 6 ? 2 : first >> 4 == 14 ? 3 : 0;
            if (length == 0) throw malformed(at);
            at += length;
            if (at > size) throw new UTFDataFormatException("malformed input: partial character at end");
            for (int each = at - length + 1; each < at; each++) {
                if ((all[each] & 0xC0) != 0x80) throw malformed(length == 2 ? at : at - 1);
            }
            int value = length == 1 ? first : all[at - 1] & 0x3F;
            if (length == 2) value |= (first & 0x1F) << 6;
            if (length == 3) value |= (first & 0x0F) << 12 | (all[at - 2] & 0x3F) << 6;
            made[count++] = (char) value;
        }
        return new String(made, 0, count);
    }

    private static UTFDataFormatException malformed(int at) {
        return new UTFDataFormatException(new StringBuilder("malformed input around byte ").append(at).toString());
    }
}
