    /** What the monitors are told of, and ask. */
    static final class VeerSpecifications {
        private static final int MOST = 16;
        private static final java.util.ArrayDeque<String> EVENTS = new java.util.ArrayDeque<>();

        /** A specification is violated. */
        static final class Violated extends Error {
            private static final long serialVersionUID = 1;

            Violated(String message) {
                super(message);
            }
        }

        static void event(int event, int count, long... values) {
            if (EVENTS.size() == MOST) EVENTS.removeFirst();
            java.util.StringJoiner text = new java.util.StringJoiner(", ", NAMES[event] + "(", ")");
            for (int k = 0; k < count; k++) text.add(Long.toString(values[k]));
            EVENTS.addLast(text.toString());
        }

        static void check(boolean holds, int number, String name) {
            if (!holds) throw new Violated(name + " is violated, behind the events: " + String.join(", ", EVENTS));
        }

        static void register(int number, int register, boolean holds) {}

        static void state(int number, boolean isSeen, int count) {}

        static void full() {
            throw new IllegalStateException("a specification has more values of a name than are followed");
        }
    }

    /** Lets class files tell the monitors of calls and returns: a wrapper takes the name of a watched method. */
    static final class VeerWeaver {
        private final java.nio.ByteBuffer in;
        private final java.io.ByteArrayOutputStream bytes = new java.io.ByteArrayOutputStream();
        private final java.io.DataOutputStream pool = new java.io.DataOutputStream(bytes);
        private final java.util.Map<String, Integer> known = new java.util.HashMap<>();
        private final String[] texts;
        private final String owner;
        private int count;

        private VeerWeaver(byte[] data, String owner) {
            in = java.nio.ByteBuffer.wrap(data);
            this.owner = owner;
            in.position(8);
            count = in.getShort() & 0xffff;
            texts = new String[count];
            for (int k = 1; k < texts.length; k++) {
                int tag = in.get();
                if (tag == 1) {
                    byte[] text = new byte[in.getShort() & 0xffff];
                    in.get(text);
                    texts[k] = new String(text, java.nio.charset.StandardCharsets.UTF_8);
                } else {
                    skip(tag == 5 || tag == 6 ? 8 : tag == 15 ? 3 : tag == 7 || tag == 8 || tag == 16 || tag > 18 ? 2 : 4);
                    if (tag == 5 || tag == 6) k++;
                }
            }
        }

        /** The class, as it is to be loaded. */
        static byte[] woven(String name, byte[] data) throws java.io.IOException {
            String own = name.replace('.', '/');
            java.util.Map<String, String[]> rows = new java.util.HashMap<>();
            for (String[] row : WATCHED) {
                if (row[0].equals(own)) rows.put(row[1] + row[2], row);
            }
            return rows.isEmpty() ? data : new VeerWeaver(data, own).whole(data, rows);
        }

        private byte[] whole(byte[] data, java.util.Map<String, String[]> rows) throws java.io.IOException {
            int behindPool = in.position();
            skip(6);
            skip(2 * (in.getShort() & 0xffff));
            for (int left = in.getShort() & 0xffff; left > 0; left--) {
                skip(6);
                skipAttributes();
            }
            int table = in.position(), methods = in.getShort() & 0xffff, more = 0;
            byte[] changed = data.clone();
            java.io.ByteArrayOutputStream wrappers = new java.io.ByteArrayOutputStream();
            for (int k = 0; k < methods; k++) {
                int at = in.position(), access = in.getShort() & 0xffff;
                String name = texts[in.getShort() & 0xffff], descriptor = texts[in.getShort() & 0xffff];
                skipAttributes();
                String[] row = rows.get(name + descriptor);
                if (row == null) continue;
                put(changed, at, access & 0x08a8 | 0x1002);
                put(changed, at + 2, utf8("veer$body$" + name));
                wrapper(new java.io.DataOutputStream(wrappers), access & ~0x20, name, descriptor, row);
                more++;
            }
            put(changed, table, methods + more);
            int end = in.position();
            java.io.ByteArrayOutputStream all = new java.io.ByteArrayOutputStream();
            all.write(data, 0, 8);
            new java.io.DataOutputStream(all).writeShort(count);
            all.write(data, 10, behindPool - 10);
            all.write(bytes.toByteArray());
            all.write(changed, behindPool, end - behindPool);
            all.write(wrappers.toByteArray());
            all.write(data, end, data.length - end);
            return all.toByteArray();
        }

        private void wrapper(java.io.DataOutputStream out, int access, String name, String descriptor, String[] row)
                throws java.io.IOException {
            java.lang.invoke.MethodType type = java.lang.invoke.MethodType.fromMethodDescriptorString(
                    descriptor.replaceAll("L[^;]+;", "Ljava/lang/Object;"), null);
            boolean isStatic = (access & 8) != 0;
            String given = (isStatic ? "" : "L" + owner + ";") + descriptor.substring(1, descriptor.indexOf(')'));
            String result = descriptor.substring(descriptor.indexOf(')') + 1);
            java.io.ByteArrayOutputStream loaded = new java.io.ByteArrayOutputStream();
            int size = 0;
            if (!isStatic) size = load(loaded, Object.class, size);
            for (Class<?> each : type.parameterList()) size = load(loaded, each, size);
            java.io.ByteArrayOutputStream code = new java.io.ByteArrayOutputStream();
            if (!row[3].isEmpty()) call(code, loaded, null, 0, 0xb8, MONITORS, row[3], "(" + given + ")V");
            call(code, loaded, null, 0, isStatic ? 0xb8 : 0xb7, owner, "veer$body$" + name, descriptor);
            Class<?> back = type.returnType();
            if (back != void.class) op(code, 0x36 + kind(back), size);
            if (!row[4].isEmpty()) {
                String more = back == void.class ? "" : result;
                call(code, loaded, back, size, 0xb8, MONITORS, row[4], "(" + given + more + ")V");
            }
            if (back != void.class) op(code, 0x15 + kind(back), size);
            code.write(back == void.class ? 0xb1 : 0xac + kind(back));
            out.writeShort(access);
            out.writeShort(utf8(name));
            out.writeShort(utf8(descriptor));
            out.writeShort(1);
            out.writeShort(utf8("Code"));
            out.writeInt(12 + code.size());
            out.writeShort(size + 4);
            out.writeShort(size + 2);
            out.writeInt(code.size());
            out.write(code.toByteArray());
            out.writeInt(0);
        }

        private static int load(java.io.ByteArrayOutputStream out, Class<?> type, int at) {
            op(out, 0x15 + kind(type), at);
            return at + (type == long.class || type == double.class ? 2 : 1);
        }

        private void call(java.io.ByteArrayOutputStream out, java.io.ByteArrayOutputStream loaded, Class<?> back, int at,
                int how, String of, String name, String descriptor) throws java.io.IOException {
            loaded.writeTo(out);
            if (back != null && back != void.class) load(out, back, at);
            int method = method(of, name, descriptor);
            out.write(how);
            out.write(method >> 8);
            out.write(method);
        }

        private static void op(java.io.ByteArrayOutputStream out, int number, int local) {
            out.write(number);
            out.write(local);
        }

        /** Which of iload, lload, fload, dload, aload. */
        private static int kind(Class<?> type) {
            return !type.isPrimitive() ? 4 : type == long.class ? 1 : type == float.class ? 2 : type == double.class ? 3 : 0;
        }

        private int method(String of, String name, String descriptor) throws java.io.IOException {
            int class_ = entry("7 " + of, 7, utf8(of), -1);
            int named = entry("12 " + name + descriptor, 12, utf8(name), utf8(descriptor));
            return entry("10 " + of + "." + name + descriptor, 10, class_, named);
        }

        private int utf8(String text) throws java.io.IOException {
            Integer found = known.get("1 " + text);
            if (found != null) return found;
            pool.write(1);
            pool.writeUTF(text);
            known.put("1 " + text, count);
            return count++;
        }

        private int entry(String key, int tag, int first, int second) throws java.io.IOException {
            Integer found = known.get(key);
            if (found != null) return found;
            pool.write(tag);
            pool.writeShort(first);
            if (second >= 0) pool.writeShort(second);
            known.put(key, count);
            return count++;
        }

        private void skip(int size) {
            in.position(in.position() + size);
        }

        private void skipAttributes() {
            for (int left = in.getShort() & 0xffff; left > 0; left--) {
                skip(2);
                skip(in.getInt());
            }
        }

        private static void put(byte[] data, int at, int number) {
            data[at] = (byte) (number >> 8);
            data[at + 1] = (byte) number;
        }
    }
