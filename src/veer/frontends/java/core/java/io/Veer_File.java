package java.io;

/** In the place of static fields of File: veer's machines are Unix. */
final class Veer_File {
    static final char separatorChar = '/', pathSeparatorChar = ':';
    static final String separator = "/", pathSeparator = ":";
}
