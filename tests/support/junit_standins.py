"""As much of JUnit 4 and 5 as veer's suites use, and a runner of both: they are not on every machine."""

from __future__ import annotations

_ASSERTS = """\
    public static void assertEquals(Object expected, Object found) {
        if (java.util.Objects.equals(expected, found)) return;
        throw new AssertionError(expected + " is expected, there is " + found);
    }
    public static void assertSame(Object expected, Object found) { assertTrue(expected == found); }
    public static void assertTrue(boolean holds) { if (!holds) throw new AssertionError(); }
    public static void assertArrayEquals(int[] expected, int[] found) {
        assertTrue(java.util.Arrays.equals(expected, found));
    }
    public interface Call { void run() throws Throwable; }
    public static void assertThrows(Class<?> expected, Call call) {
        try { call.run(); } catch (Throwable error) {
            if (expected.isInstance(error)) return;
            throw new AssertionError(error);
        }
        throw new AssertionError("nothing is thrown");
    }
"""
_KEPT = "@java.lang.annotation.Retention(java.lang.annotation.RetentionPolicy.RUNTIME) public @interface"
_RUNNER = """\
public class Runner {
    public static void main(String[] names) throws Throwable {
        Class<?> suite = Class.forName(names[0]);
        for (java.lang.reflect.Method method : suite.getDeclaredMethods()) {
            java.util.Set<String> marks = new java.util.HashSet<>();
            for (Object each : method.getAnnotations()) {
                marks.add(((java.lang.annotation.Annotation) each).annotationType().getSimpleName());
            }
            if (!marks.contains("Test")) continue;
            boolean isLeft = marks.contains("Disabled") || marks.contains("Ignore");
            if (isLeft && names.length == 1) { System.out.println("left " + method.getName()); continue; }
            try {
                RUN
                System.out.println("ok " + method.getName());
            } catch (Throwable error) {
                System.out.println("failed " + method.getName() + " " + error);
            }
        }
    }
}
"""
_RUN4 = """\
Object made = suite.getDeclaredConstructor().newInstance();
org.junit.rules.TestRule rule = (org.junit.rules.TestRule) suite.getField("apart").get(made);
rule.apply(null, new org.junit.runner.Description(method.getName())).evaluate();
"""
_RUN5 = """\
java.lang.reflect.Constructor<?> made = Class.forName(names[0] + "$Apart").getDeclaredConstructor();
made.setAccessible(true);
org.junit.jupiter.api.extension.InvocationInterceptor apart =
    (org.junit.jupiter.api.extension.InvocationInterceptor) made.newInstance();
apart.interceptTestMethod(() -> {}, () -> method, null);
"""
_EXTENSION = "package org.junit.jupiter.api.extension; "
_API = "package org.junit.jupiter.api; "
JUNIT4 = {
    "org/junit/Test": f"package org.junit; {_KEPT} Test {{}}",
    "org/junit/Rule": f"package org.junit; {_KEPT} Rule {{}}",
    "org/junit/Ignore": f"package org.junit; {_KEPT} Ignore {{ String value(); }}",
    "org/junit/Assert": f"package org.junit; public class Assert {{ {_ASSERTS} }}",
    "org/junit/rules/TestRule": (
        "package org.junit.rules; import org.junit.runner.Description; import org.junit.runners.model.Statement; "
        "public interface TestRule { Statement apply(Statement statement, Description description); }"
    ),
    "org/junit/runners/model/Statement": (
        "package org.junit.runners.model; "
        "public abstract class Statement { public abstract void evaluate() throws Throwable; }"
    ),
    "org/junit/runner/Description": (
        "package org.junit.runner; public class Description { private final String name; "
        "public Description(String name) { this.name = name; } public String getMethodName() { return name; } }"
    ),
    "Runner": _RUNNER.replace("RUN", _RUN4),
}
"""Sources by their names without the suffix."""
JUNIT5 = {
    "org/junit/jupiter/api/Test": f"{_API}{_KEPT} Test {{}}",
    "org/junit/jupiter/api/Disabled": f"{_API}{_KEPT} Disabled {{ String value(); }}",
    "org/junit/jupiter/api/Assertions": f"{_API} public class Assertions {{ {_ASSERTS} }}",
    "org/junit/jupiter/api/extension/ExtendWith": f"{_EXTENSION}{_KEPT} ExtendWith {{ Class<?> value(); }}",
    "org/junit/jupiter/api/extension/ExtensionContext": f"{_EXTENSION} public interface ExtensionContext {{}}",
    "org/junit/jupiter/api/extension/ReflectiveInvocationContext": (
        f"{_EXTENSION} public interface ReflectiveInvocationContext<T> {{ T getExecutable(); }}"
    ),
    "org/junit/jupiter/api/extension/InvocationInterceptor": (
        f"{_EXTENSION} public interface InvocationInterceptor {{ interface Invocation<T> {{ void skip(); }} "
        "void interceptTestMethod(Invocation<Void> test, "
        "ReflectiveInvocationContext<java.lang.reflect.Method> context, ExtensionContext extension) throws Throwable; }"
    ),
    "Runner": _RUNNER.replace("RUN", _RUN5),
}
