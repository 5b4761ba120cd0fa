package java.io;

import veer.Engine;

/** In the place of methods of DataOutputStream: JDK 25's ask the runtime for what is within a string. */
final class Veer_DataOutputStream {
    private static final int MOST = 65_535;

    static int writeUTF(String text, DataOutput out) throws IOException {
        long size = 0;
        for (int at = 0; at < text.length(); at++) size += bytes(text.charAt(at));
        if (size > MOST) Engine.refuse("a string of more than 65,535 bytes in a stream");
        byte[] made = new byte[(int) size + 2];
        int place = 0;
        made[place++] = (byte) (size >>> 8);
        made[place++] = (byte) size;
        for (int at = 0; at < text.length(); at++) {
            char unit = text.charAt(at);
            switch (bytes(unit)) {
                case 1 -> made[place++] = (byte) unit;
                case 2 -> made[place++] = (byte) (0xC0 | unit >> 6);
                default -> {
                    made[place++] = (byte) (0xE0 | unit >> 12);
                    made[place++] = (byte) (0x80 | unit >> 6 & 0x3F);
                }
            }
            if (bytes(unit) > 1) made[place++] = (byte) (0x80 | unit & 0x3F);
        }
        out.write(made, 0, place);
        return place;
    }

    private static int bytes(char unit) {
        return unit >= 1 && unit < 128 ? 1 : unit < 2048 ? 2 : 3;
    }
}
