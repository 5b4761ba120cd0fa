/* Strings of wide characters; comparisons give -1, 0 or 1, as glibc's do. */
#include <stddef.h>
#include <wchar.h>

#include "libc.h"

size_t veer_libc_wcslen(const wchar_t *text) {
    size_t length = 0;
    while (text[length]) length++;
    return length;
}

size_t veer_libc_wcsnlen(const wchar_t *text, size_t most) {
    size_t length = 0;
    while (length < most && text[length]) length++;
    return length;
}

wchar_t *veer_libc_wcscpy(wchar_t *to, const wchar_t *from) {
    size_t k = 0;
    while ((to[k] = from[k])) k++;
    return to;
}

wchar_t *veer_libc_wcscat(wchar_t *to, const wchar_t *from) {
    veer_libc_wcscpy(to + veer_libc_wcslen(to), from);
    return to;
}

int veer_libc_wcsncmp(const wchar_t *a, const wchar_t *b, size_t most) {
    for (size_t k = 0; k < most; k++) {
        if (a[k] != b[k]) return a[k] < b[k] ? -1 : 1;
        if (!a[k]) break;
    }
    return 0;
}

int veer_libc_wcscmp(const wchar_t *a, const wchar_t *b) { return veer_libc_wcsncmp(a, b, (size_t)-1); }

wchar_t *veer_libc_wcschr(const wchar_t *text, wchar_t wanted) {
    for (; *text != wanted; text++)
        if (!*text) return NULL;
    return (wchar_t *)text;
}

wchar_t *veer_libc_wcsrchr(const wchar_t *text, wchar_t wanted) {
    const wchar_t *found = NULL;
    do
        if (*text == wanted) found = text;
    while (*text++);
    return (wchar_t *)found;
}
