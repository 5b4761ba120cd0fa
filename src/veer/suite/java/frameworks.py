"""What runs a suite in Java: its own `main`, JUnit 5, JUnit 4. How each declares a test and says what is expected.

    plain      static void test_001() { equal(3, Triangle.classify(1, 1, 1)); }
    junit5     @Test void test_001() { assertEquals(3, Triangle.classify(1, 1, 1)); }

Each test runs in a class loader of its own, so that static fields begin anew: a test's result was recorded in fresh
classes. Tests that show bugs run only when somebody asks for them.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from msgspec import Struct

from veer.model.types import Type, TypeKind


class Framework(Struct, frozen=True):
    """`needs`: its title, for those that have to be on the class path; `imports`: of static ones the word is part;
    `annotations`, `bug_annotations`: before a test (`{}`: what it shows); `method`: its head; `helpers`: the end of the
    class (`{suite}`: its name; `{tests}`, `{bugs}`: names of tests).

    `equal`: type of the result, literal, call; `throws`: class, call; `same_elements`: type of the elements, the array
    that is expected, the one that is there; `equal_objects`, `same_object`: what is expected, what is there.
    """

    needs: str
    imports: tuple[str, ...]
    class_head: str
    annotations: tuple[str, ...]
    bug_annotations: tuple[str, ...]
    method: str
    helpers: str
    equal: Callable[[Type, str, str], str]
    throws: Callable[[str, str], str]
    same_elements: Callable[[Type, str, str], str]
    equal_objects: Callable[[str, str], str]
    same_object: Callable[[str, str], str]


_PLAIN_HELPERS = """\
    private static final String[] TESTS = {{{tests}}};
    private static final String[] BUGS = {{{bugs}}};

    /** Runs all tests but those of BUGS, or those that are named. */
    public static void main(String[] names) throws Exception {{
        int failed = 0;
        for (String name : names.length > 0 ? names : TESTS) {{
            try {{
                run(name);
                System.out.println("ok " + name);
            }} catch (java.lang.reflect.InvocationTargetException error) {{
                failed++;
                System.out.println("not ok " + name + ": " + error.getCause());
            }}
        }}
        System.exit(failed > 0 ? 1 : 0);
    }}

    /** Each test has classes of its own, so that static fields begin anew. */
    private static void run(String name) throws Exception {{
        java.util.List<java.net.URL> places = new java.util.ArrayList<>();
        for (String place : System.getProperty("java.class.path").split(java.io.File.pathSeparator)) {{
            places.add(new java.io.File(place).toURI().toURL());
        }}
        ClassLoader above = ClassLoader.getSystemClassLoader().getParent();
        try (java.net.URLClassLoader own = new java.net.URLClassLoader(places.toArray(new java.net.URL[0]), above)) {{
            own.setDefaultAssertionStatus(true);
            java.lang.reflect.Method test = own.loadClass({suite}.class.getName()).getDeclaredMethod(name);
            test.setAccessible(true);
            test.invoke(null);
        }}
    }}

    /** Something that may throw. */
    interface Call {{
        void run() throws Throwable;
    }}

    private static void same(boolean holds, String what) {{
        if (!holds) throw new IllegalStateException(what);
    }}

    private static void equal(Object expected, Object found) {{
        same(java.util.Objects.equals(expected, found), "expected " + expected + ", found " + found);
    }}

    private static void throwsA(Class<?> expected, Call call) {{
        try {{
            call.run();
        }} catch (Throwable error) {{
            same(error.getClass() == expected, "expected " + expected.getName() + ", found " + error);
            return;
        }}
        same(false, "expected " + expected.getName() + ", but nothing is thrown");
    }}
"""
_APART = """\
    /** Runs a test in classes of its own, so that static fields begin anew. */
    private static void apart(String test) throws Throwable {{
        ClassLoader all = {suite}.class.getClassLoader();
        ClassLoader own = new ClassLoader(all) {{
            @Override
            protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {{
                if (name.matches("(java|javax|jdk|sun|junit|org.junit|org.hamcrest|org.opentest4j)[.].*")) {{
                    return super.loadClass(name, resolve);
                }}
                Class<?> known = findLoadedClass(name);
                if (known != null) return known;
                try (java.io.InputStream in = all.getResourceAsStream(name.replace('.', '/') + ".class")) {{
                    if (in == null) return super.loadClass(name, resolve);
                    byte[] data = in.readAllBytes();
                    return defineClass(name, data, 0, data.length);
                }} catch (java.io.IOException error) {{
                    throw new ClassNotFoundException(name, error);
                }}
            }}
        }};
        own.setDefaultAssertionStatus(true);
        Class<?> suite = own.loadClass({suite}.class.getName());
        java.lang.reflect.Constructor<?> made = suite.getDeclaredConstructor();
        made.setAccessible(true);
        java.lang.reflect.Method method = suite.getDeclaredMethod(test);
        method.setAccessible(true);
        try {{
            method.invoke(made.newInstance());
        }} catch (java.lang.reflect.InvocationTargetException error) {{
            throw error.getCause();
        }}
    }}
"""
_JUNIT5_HELPERS = """\
    static class Apart implements InvocationInterceptor {{
        @Override
        public void interceptTestMethod(
                Invocation<Void> test, ReflectiveInvocationContext<Method> context, ExtensionContext extension)
                throws Throwable {{
            test.skip();
            apart(context.getExecutable().getName());
        }}
    }}

"""
_JUNIT4_HELPERS = """\
    @Rule
    public final TestRule apart = (test, description) -> new Statement() {{
        @Override
        public void evaluate() throws Throwable {{
            apart(description.getMethodName());
        }}
    }};

"""


def _asserted_elements(type_: Type, expected: str, found: str) -> str:
    return f"assertArrayEquals({expected}, {found});"


def _asserted_objects(expected: str, found: str) -> str:
    number = f"({expected})" if expected.startswith("-") else expected  # else it would be a difference
    return f"assertEquals((Object) {number}, (Object) {found});"


def _quoted(text: str) -> str:
    """Within a string literal."""
    return text.replace("\\", "\\\\").replace('"', '\\"')


def _junit4_elements(type_: Type, expected: str, found: str) -> str:
    """Its comparisons of floats take 0.0 and -0.0 for the same."""
    if type_.kind is TypeKind.FLOAT:
        return f"assertTrue(java.util.Arrays.equals({expected}, {found}));"
    return _asserted_elements(type_, expected, found)


def _junit4_equal(type_: Type, expected: str, call: str) -> str:
    return f"assertEquals({'(Object) ' if type_.kind is TypeKind.FLOAT else ''}{expected}, {call});"


HELPERS = {
    "made": """\

    /** An object of a class that no constructor was run for. */
    private static Object made(String name) throws Exception {
        Class<?> unsafe = Class.forName("sun.misc.Unsafe");
        java.lang.reflect.Field only = unsafe.getDeclaredField("theUnsafe");
        only.setAccessible(true);
        return unsafe.getMethod("allocateInstance", Class.class).invoke(only.get(null), named(name));
    }
""",
    "set": """\

    /** Sets a field that the class "owner" declares. */
    private static void set(Object object, String owner, String field, Object value) throws Exception {
        java.lang.reflect.Field found = named(owner).getDeclaredField(field);
        found.setAccessible(true);
        found.set(object, value);
    }
""",
    "field": """\

    /** What a field holds that the class "owner" declares. */
    private static Object field(Object object, String owner, String field) throws Exception {
        java.lang.reflect.Field found = named(owner).getDeclaredField(field);
        found.setAccessible(true);
        return found.get(object);
    }
""",
    "named": """\

    private static Class<?> named(String name) throws ClassNotFoundException {
        return Class.forName(name, false, SUITE.class.getClassLoader());
    }
""",
    "name": """\

    /** The name of a constant of an enum. */
    private static String name(Object constant) {
        return ((Enum<?>) constant).name();
    }
""",
    "map": """\

    /** A map of keys, each with its value behind it. */
    private static java.util.Map<Object, Object> map(Object... pairs) {
        java.util.Map<Object, Object> all = new java.util.HashMap<>();
        for (int at = 0; at < pairs.length; at += 2) all.put(pairs[at], pairs[at + 1]);
        return all;
    }
""",
}
"""What tests call to make and look at objects; a suite has those that it needs."""
_NEEDS = {"made": ("named",), "set": ("named",), "field": ("named",)}


def needed(text: str) -> list[str]:
    """The helpers that the text of tests calls."""
    called = [name for name in HELPERS if re.search(rf"(?<![\w.]){name}\(", text)]
    more = {each for name in called for each in _NEEDS.get(name, ())}
    return [HELPERS[name] for name in HELPERS if name in more | set(called)]


PLAIN = Framework(
    needs="",
    imports=(),
    class_head="final class",
    annotations=(),
    bug_annotations=(),
    method="static void",
    helpers=_PLAIN_HELPERS,
    equal=lambda type_, expected, call: f"equal({expected}, {call});",
    throws=lambda thrown, call: f"throwsA({thrown}.class, () -> {call});",
    same_elements=lambda type_, expected, found: (
        f'same(java.util.Arrays.equals({expected}, {found}), "{_quoted(found)} is otherwise");'
    ),
    equal_objects=lambda expected, found: f"equal({expected}, {found});",
    same_object=lambda expected, found: f'same({expected} == {found}, "{_quoted(found)} is another object");',
)
JUNIT5 = Framework(
    needs="JUnit 5 (junit-jupiter-api)",
    imports=(
        "static org.junit.jupiter.api.Assertions.assertArrayEquals",
        "static org.junit.jupiter.api.Assertions.assertEquals",
        "static org.junit.jupiter.api.Assertions.assertSame",
        "static org.junit.jupiter.api.Assertions.assertThrows",
        "",
        "java.lang.reflect.Method",
        "org.junit.jupiter.api.Disabled",
        "org.junit.jupiter.api.Test",
        "org.junit.jupiter.api.extension.ExtendWith",
        "org.junit.jupiter.api.extension.ExtensionContext",
        "org.junit.jupiter.api.extension.InvocationInterceptor",
        "org.junit.jupiter.api.extension.ReflectiveInvocationContext",
    ),
    class_head="@ExtendWith({suite}.Apart.class)\nclass",
    annotations=("@Test",),
    bug_annotations=("@Test", '@Disabled("{}")'),
    method="void",
    helpers=_JUNIT5_HELPERS + _APART,
    equal=lambda type_, expected, call: f"assertEquals({expected}, {call});",
    throws=lambda thrown, call: f"assertThrows({thrown}.class, () -> {call});",
    same_elements=_asserted_elements,
    equal_objects=_asserted_objects,
    same_object=lambda expected, found: f"assertSame({expected}, {found});",
)
JUNIT4 = Framework(
    needs="JUnit 4.13 or newer",
    imports=(
        "static org.junit.Assert.assertArrayEquals",
        "static org.junit.Assert.assertEquals",
        "static org.junit.Assert.assertSame",
        "static org.junit.Assert.assertThrows",
        "static org.junit.Assert.assertTrue",
        "",
        "org.junit.Ignore",
        "org.junit.Rule",
        "org.junit.Test",
        "org.junit.rules.TestRule",
        "org.junit.runners.model.Statement",
    ),
    class_head="public class",
    annotations=("@Test",),
    bug_annotations=("@Test", '@Ignore("{}")'),
    method="public void",
    helpers=_JUNIT4_HELPERS + _APART,
    equal=_junit4_equal,
    throws=lambda thrown, call: f"assertThrows({thrown}.class, () -> {call});",
    same_elements=_junit4_elements,
    equal_objects=_asserted_objects,
    same_object=lambda expected, found: f"assertSame({expected}, {found});",
)
