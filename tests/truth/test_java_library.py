"""Classes of the JDK: what is followed of them ends as on the JVM, and nothing that it does is left out.

Each method takes one byte and gives one of a few numbers, so the brute force is the JVM on all 256 inputs.
"""

from __future__ import annotations

import shutil
import struct
import subprocess
from pathlib import Path

import pytest

import veer

HEAD = """\
import java.io.*;
import java.lang.ref.*;
import java.nio.charset.*;
import java.text.ParsePosition;
import java.time.*;
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.locks.*;
import java.util.regex.Pattern;

public class Library {
"""
METHODS = {
    "maps": """\
    static int maps(byte k) {
        ConcurrentMap<Object, Integer> map = new ConcurrentHashMap<>(2);
        for (int i = 0; i < 20; i++) map.put(i * 16, i);
        map.merge("a", 4, Integer::sum);
        if (k > 100) map.remove(16);
        if (k == 7) map.put("a", 1);
        int place = 0;
        for (Object key : map.keySet())
            if (place++ == 3) return map.size() * 1000 + (key instanceof Integer n ? n : -1);
        return map.computeIfAbsent("b", key -> 5);
    }
""",
    "lists": """\
    static int lists(byte k) {
        CopyOnWriteArrayList<Byte> list = new CopyOnWriteArrayList<>(List.of((byte) 1, (byte) 2));
        list.addIfAbsent(k);
        for (Byte each : list) if (each == k) list.add(each);
        if (TimeUnit.MINUTES.convert(k, TimeUnit.SECONDS) > 1) return 1;
        return list.size() + (list.get(0) == k ? 10 : 0);
    }
""",
    "encoded": """\
    static int encoded(byte k) {
        String s = "a" + (char) (k & 255);
        byte[] all = s.getBytes(StandardCharsets.UTF_8);
        if (all.length == 3) return all[1] == (byte) 0xC3 ? 1 : 2;
        if (s.getBytes(StandardCharsets.US_ASCII)[1] == '?') return 3;
        return s.getBytes(StandardCharsets.ISO_8859_1)[1] == 0 ? 4 : 5;
    }
""",
    "decoded": """\
    static int decoded(byte k) throws Exception {
        String s = new String(new byte[] {(byte) 0xC3, k, 65}, k > 100 ? "latin1" : "UTF-8");
        return s.length() * 10 + (s.charAt(0) == 0xFFFD ? 1 : s.charAt(0) == 0xE9 ? 2 : 3);
    }
""",
    "named": """\
    static int named(byte k) {
        String name = new String[] {"utf8", "no such\\\\", "", "US-ASCII", null}[Math.floorMod(k, 5)];
        return Charset.forName(name).equals(StandardCharsets.UTF_8) ? 1 : 2;
    }
""",
    "cases": """\
    static int cases(byte k) {
        Locale locale = k < 0 ? Locale.ROOT : k == 0 ? null : new Locale("EN", "gb");
        String s = ("" + (char) (k & 255)).toUpperCase(locale);
        return s.equals("A") ? 1 : s.equals("SS") ? 2 : locale.toString().length() * 10 + locale.getCountry().length();
    }
""",
    "countries": """\
    static int countries(byte k) {
        Locale locale = new Locale("" + (char) (k & 255), "x" + (char) (k & 255));
        int change = locale.getLanguage().charAt(0) - (k & 255), back = locale.getCountry().charAt(1) - (k & 255);
        return change * 100 + back + locale.getCountry().length() * 10;
    }
""",
    "letters": """\
    static int letters(byte k) {
        char small = (char) (k & 255), large = Character.toUpperCase(small);
        if (large >= 256) return Character.isUpperCase(large) ? Character.toLowerCase(large) : 2;
        return Character.toLowerCase(large) == small ? 3 : 4;
    }
""",
    "blocks": """\
    static int blocks(byte k) {
        String s = "" + (char) (k & 255);
        int found = Pattern.matches("\\\\p{InCombiningDiacriticalMarks}", s) ? 1 : 0;
        if (Pattern.matches("\\\\p{IsLatin}", s)) found += 2;
        if (Pattern.matches("\\\\p{InBASIC_LATIN}", s)) found += 4;
        return found + (Pattern.matches("\\\\P{IsGreek}", s) ? 8 : 0);
    }
""",
    "streams": """\
    static int streams(byte k) throws IOException {
        ByteArrayOutputStream made = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(new BufferedOutputStream(made))) {
            out.writeInt(k * 70);
            if (k > 90) out.writeUTF("x");
        }
        DataInputStream in = new DataInputStream(new ByteArrayInputStream(made.toByteArray()));
        if (in.readInt() > 7000) return in.readUTF().length();
        byte[] text = {0, 3, (byte) 0xE2, k, (byte) 0xAC};
        return new DataInputStream(new ByteArrayInputStream(text)).readUTF().charAt(0) == 0x20AC ? 5 : in.read();
    }
""",
    "written": """\
    static int written(byte k) throws IOException {
        StringWriter text = new StringWriter();
        PrintWriter out = new PrintWriter(text);
        out.print(k > 3);
        out.println();
        out.append((char) (k & 127)).flush();
        PushbackReader in = new PushbackReader(new StringReader(text.toString()));
        int first = in.read();
        in.unread(first);
        ParsePosition at = new ParsePosition(k);
        at.setErrorIndex(first);
        if (text.toString().endsWith("\\nz")) return 1;
        return in.read() * 1000 + (at.getIndex() == 9 ? at.getErrorIndex() : 0);
    }
""",
    "held": """\
    static int held(byte k) {
        ReentrantLock lock = new ReentrantLock();
        WeakReference<String> weak = new WeakReference<>(k > 0 ? "some" : null);
        if (k == 3) weak.clear();
        for (int i = 0; i < (k & 3); i++) lock.lock();
        lock.unlock();
        Date date = new Date(k * 1000L);
        int compared = date.after(new Date(50_000)) ? 100 : date.compareTo(new Date(0));
        return lock.getHoldCount() * 10 + (weak.get() == null ? 0 : 1) + compared;
    }
""",
    "lasting": """\
    static int lasting(byte k) {
        Duration d = Duration.ofSeconds(k * 90L);
        if (d.isNegative()) return d.plusHours(2).isZero() ? 1 : 2;
        return d.toMinutesPart() == 30 ? 3 : d.toString().startsWith("PT1H") ? 4 : 5;
    }
""",
    "formats": """\
    static int formats(byte k) {
        switch (k) {
            case 1: return String.format("[%05d|%4x]", (Object) null, null).hashCode();
            case 2: return String.format("%,d %(,d %+d % d %08d", 1234567, -1234567L, k, (short) 9, -42).hashCode();
            case 3: return String.format("%X %o %x %x", 255, 8L, (byte) -1, -1).hashCode();
            case 4: return String.format(Locale.GERMANY, "%-3c|%.2s|%5b", 'x', "abc", null).hashCode();
            default: return k < 0 ? "%-7S|".formatted(k < -9).hashCode() : 0;
        }
    }
""",
    "reals": """\
    static int reals(byte k) {
        double value;
        switch (k) {
            case 1: value = 0.125; break;
            case 2: value = -9.995; break;
            case 3: value = 1234567.5; break;
            case 4: value = 5e-4; break;
            case 5: value = Double.NEGATIVE_INFINITY; break;
            case 6: value = 1e22; break;
            default: value = k < 0 ? Double.NaN : -0.0; break;
        }
        return String.format("%.2f|%,.0f|%+f|%(010.3f|%s", value, value, value, value, k == 4 ? 0.5f : "").hashCode();
    }
""",
    "scanned": """\
    static int scanned(byte k) {
        Scanner in = new Scanner(k < 3 ? "7 \\n  abc\\n" : "99999999999 " + (char) (k & 127));
        try {
            if (k == 1) return in.hasNextDouble() ? (int) (in.nextDouble() * 10) : -1;
            if (k == 2) in.next();
            return in.nextInt();
        } catch (InputMismatchException wrong) {
            return in.nextLine().length() * 10 + (wrong.getMessage() == null ? 1 : 2);
        }
    }
""",
    "points": """\
    static int points(byte k) {
        Scanner in = new Scanner("1" + (char) (k & 127) + "5e1");
        if (!in.hasNextDouble()) return in.hasNextInt() ? 1 : 2;
        return in.nextDouble() == 15 ? 3 : 4;
    }
""",
    "small": """\
    static class Inner {}
    static int small(byte k) throws IOException, InterruptedException {
        class Local {}
        Object some = k == 1 ? new Local() : k == 2 ? new Inner() : k == 3 ? new Object() {} : new Library();
        BufferedReader in = new BufferedReader(new StringReader(k < 9 ? "a\\r\\nb\\nc" : "\\n"));
        Random drawn = new Random(k < 5 ? 5 : 6);
        Thread.sleep(k < -7 ? -1 : 0);
        int next = drawn.nextInt(3, 50) * 100 + (int) (drawn.nextGaussian() * 10);
        return (some.getClass().getSimpleName() + in.lines().skip(1).count()).hashCode() + next;
    }
""",
    "tagged": """\
    static int tagged(byte k) {
        long high = k < 0 ? 5 : k == 7 ? 0x0123456789ABCDEFL : -3;
        UUID id = new UUID(high, ~high);
        java.util.zip.Checksum sum = new java.util.zip.CRC32();
        sum.update(new byte[] {(byte) high, 1, 2, -128}, k > 100 ? 2 : 0, k == 101 ? 3 : 2);
        sum.update(300);
        boolean isSame = id.equals(UUID.fromString(id.toString().toUpperCase(Locale.ROOT)));
        return 31 * id.toString().hashCode() + Long.hashCode(sum.getValue()) + (isSame ? id.version() : -9);
    }
""",
}
ANGLES = """\
public class Angles {
    static int of(int x, int y) {
        double angle = Math.atan2(y, x);
        if (angle > 1.5) return Math.log(y) > 3 ? 1 : 2;
        return Math.sin(angle) < -0.5 ? 3 : 4;
    }
    static double near(int x) { return x == 5 ? Math.atan2(4, x) : Math.cosh(19); }
}
"""
SAID = """\
public class Said {
    public static void main(String[] arguments) { System.out.println(Math.atan2(4, 5) + " " + Math.cosh(19)); }
}
"""
ALL = """\
public class All {
    public static void main(String[] arguments) {
        for (int k = -128; k < 128; k++) {
            String end;
            try { end = "" + Library.NAME((byte) k); } catch (Throwable thrown) { end = thrown.getClass().getName(); }
            System.out.println(end);
        }
    }
}
"""


@pytest.mark.skipif(shutil.which("javac") is None, reason="there is no JDK on this machine")
@pytest.mark.parametrize("method", METHODS)
def test_each_end_on_the_jvm_is_found_and_no_other(method: str, tmp_path: Path) -> None:
    source = tmp_path / "Library.java"
    source.write_text(f"{HEAD}{METHODS[method]}}}\n")
    (tmp_path / "All.java").write_text(ALL.replace("NAME", method))
    subprocess.run(["javac", "-d", "all", "Library.java", "All.java"], cwd=tmp_path, check=True)
    said = subprocess.run(["java", "-cp", "all", "All"], cwd=tmp_path, capture_output=True, text=True, check=True)
    found = veer.test(source, f"Library.{method}", criterion="path", budget="40s")
    assert found.ending.claim == "paths", found.ending
    assert {test.replayed for test in found.tests} == {"same"}
    assert {_end(found, test) for test in found.tests} == set(said.stdout.split())


@pytest.mark.skipif(shutil.which("javac") is None, reason="there is no JDK on this machine")
def test_functions_of_math_keep_no_constraints_and_may_differ_in_a_digit(tmp_path: Path) -> None:
    source = tmp_path / "Angles.java"
    source.write_text(ANGLES)
    found = veer.test(source, "Angles.of", budget="20s")
    assert found.ending.claim == "none"
    assert {test.replayed for test in found.tests} == {"same"}
    assert found.coverage.branches is not None and found.coverage.branches.covered == 6
    found = veer.test(source, "Angles.near", criterion="path")
    assert {test.replayed for test in found.tests} == {"same"}
    numbers = sorted(struct.unpack("<d", (test.returned or b"")[:8])[0] for test in found.tests)
    (tmp_path / "Said.java").write_text(SAID)
    said = subprocess.run(["java", "Said.java"], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert numbers == [float(each) for each in said.stdout.split()]


def _end(found: veer.Result, test: veer.Test) -> str:
    """The number that is returned, or the class that is thrown."""
    returned = test.returned or b""
    number = int.from_bytes(returned[:4], "little", signed=True)
    names = {value: name for type_ in found.program.types for name, value in type_.enumerators}
    return names.get(int.from_bytes(returned[8:12], "little")) or str(number)
