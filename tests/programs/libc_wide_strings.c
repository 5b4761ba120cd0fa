// entry: wide
// input: struct text t: .c[0]=0 97 98 -1; .c[1]=0 98 120; .c[2]=0 47 120
// claim: paths
// about: strings of wide characters keep constraints
#include <wchar.h>
struct text { wchar_t c[3]; };
int wide(struct text t) {
    wchar_t copy[8] = L"/";
    wchar_t all[4] = {t.c[0], t.c[1], t.c[2], 0};
    wcscat(copy, all);
    if (wcslen(copy) == 3)
        return wcscmp(copy, L"/ab") == 0 ? 1 : wcscmp(copy, L"/ab") < 0 ? 2 : 3;
    return wcsrchr(copy, L'/') != wcschr(copy, L'/') ? 4 : 5;
}
