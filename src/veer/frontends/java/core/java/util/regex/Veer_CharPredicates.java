package java.util.regex;

import veer.Engine;

/**
 * In the place of methods of CharPredicates: blocks and scripts of Unicode, without the tables of all of it. They know the
 * characters below 256, of which inputs are, and the names of some blocks and scripts. A run that asks for others ends.
 */
final class Veer_CharPredicates {
    private static final int END_OF_ASCII = 128, END_OF_LATIN = 256;
    private static final String[] OTHER_BLOCKS = {
        "COMBINING DIACRITICAL MARKS", "GREEK", "CYRILLIC", "ARMENIAN", "HEBREW", "ARABIC", "DEVANAGARI", "THAI", "HANGUL JAMO",
        "HANGUL SYLLABLES", "HIRAGANA", "KATAKANA", "CJK UNIFIED IDEOGRAPHS", "CJK SYMBOLS AND PUNCTUATION", "GENERAL PUNCTUATION",
        "LATIN EXTENDED ADDITIONAL", "EMOTICONS",
    };
    private static final String[] OTHER_SCRIPTS = {
        "GREEK", "GREK", "CYRILLIC", "CYRL", "ARMENIAN", "ARMN", "HEBREW", "HEBR", "ARABIC", "ARAB", "DEVANAGARI", "DEVA",
        "THAI", "HANGUL", "HANG", "HIRAGANA", "HIRA", "KATAKANA", "KANA", "HAN", "HANI",
    };

    static Pattern.CharPredicate forUnicodeBlock(String name) {
        boolean isAscii = isBlock("BASIC LATIN", name);
        boolean isLatin = isOneOf(name, "LATIN-1 SUPPLEMENT", "LATIN-1SUPPLEMENT", "LATIN_1_SUPPLEMENT");
        boolean isKnown = isAscii || isLatin;
        for (String each : OTHER_BLOCKS) isKnown |= isBlock(each, name);
        if (!isKnown) Engine.refuse("a block of Unicode in a pattern");
        return point -> {
            if (point >= END_OF_LATIN) Engine.refuse("the block of a character above 255");
            return point < END_OF_ASCII ? isAscii : isLatin;
        };
    }

    static Pattern.CharPredicate forUnicodeScript(String name) {
        boolean isLatin = isOneOf(name, "LATIN", "LATN"), isCommon = isOneOf(name, "COMMON", "ZYYY");
        if (!isLatin && !isCommon && !isOneOf(name, OTHER_SCRIPTS)) Engine.refuse("a script of Unicode in a pattern");
        return point -> {
            if (point >= END_OF_LATIN) Engine.refuse("the script of a character above 255");
            return isLetter(point) ? isLatin : isCommon;
        };
    }

    /** Whether a character below 256 is of the script Latin. */
    private static boolean isLetter(int point) {
        if (point < END_OF_ASCII) return (point | 32) >= 'a' && (point | 32) <= 'z';
        return point == 0xAA || point == 0xBA || point >= 0xC0 && point != 0xD7 && point != 0xF7;
    }

    /** Whether the name is that of the block, as Unicode has it, without its spaces or as an identifier of Java. */
    private static boolean isBlock(String block, String name) {
        return isOneOf(name, block, block.replace(" ", ""), block.replace(' ', '_'));
    }

    private static boolean isOneOf(String name, String... names) {
        for (String each : names) {
            if (each.equalsIgnoreCase(name)) return true;
        }
        return false;
    }
}
