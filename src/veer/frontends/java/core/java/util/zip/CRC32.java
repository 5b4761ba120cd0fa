package java.util.zip;

import java.nio.ByteBuffer;
import java.util.Objects;

/** The checksum of zip files. The runtime's own is native. */
public class CRC32 implements Checksum {
    private static final int POLYNOMIAL = 0xEDB88320;

    private int state = -1;

    @Override
    public void update(int b) {
        state ^= b & 0xFF;
        for (int bit = 0; bit < 8; bit++) state = state >>> 1 ^ POLYNOMIAL & -(state & 1);
    }

    @Override
    public void update(byte[] bytes) {
        update(bytes, 0, bytes.length);
    }

    @Override
    public void update(byte[] bytes, int start, int length) {
        Objects.requireNonNull(bytes);
        if (start < 0 || length < 0 || start > bytes.length - length) throw new ArrayIndexOutOfBoundsException();
        for (int at = start; at < start + length; at++) update(bytes[at]);
    }

    @Override
    public void update(ByteBuffer buffer) {
        while (buffer.hasRemaining()) update(buffer.get());
    }

    @Override
    public void reset() {
        state = -1;
    }

    @Override
    public long getValue() {
        return ~state & 0xFFFFFFFFL;
    }
}
