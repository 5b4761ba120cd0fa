/* What code that veer does not see writes, and what is only copied: none of it is a read of memory that was never written. */
#define _GNU_SOURCE
#include <time.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/resource.h>
#include <sys/utsname.h>
#include <termios.h>
#include <unistd.h>
#include <signal.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
#include <stdio.h>
#include <stdarg.h>
#include <errno.h>
#include <math.h>
struct pad { char c; int i; short s; };
union u { int i; char c[4]; float f; };
static int sum(int n, ...) { va_list ap; va_start(ap, n); int s = 0; while (n--) s += va_arg(ap, int); va_end(ap); return s; }
static struct pad make(int i) { struct pad p; p.c = 1; p.i = i; p.s = 3; return p; }
static jmp_buf jb;
int entry(int x) {
    int r = 0;
    struct timespec ts; if (clock_gettime(CLOCK_REALTIME, &ts) == 0 && ts.tv_sec < 0) r++;
    struct stat st; if (stat("/", &st) == 0 && S_ISDIR(st.st_mode)) r++;
    struct timeval tv; gettimeofday(&tv, 0); if (tv.tv_usec < 0) r++;
    struct rlimit rl; if (getrlimit(RLIMIT_CORE, &rl) == 0 && rl.rlim_cur == 12345) r++;
    struct utsname un; if (uname(&un) == 0 && un.sysname[0] == 'X') r++;
    time_t t = time(0); struct tm tm; if (gmtime_r(&t, &tm) && tm.tm_year < 0) r++;
    sigset_t ss; sigemptyset(&ss); if (sigismember(&ss, 3)) r++;
    struct sigaction sa; if (sigaction(SIGUSR1, 0, &sa) == 0 && sa.sa_handler == SIG_IGN) r++;
    char cwd[300]; if (getcwd(cwd, sizeof cwd) && cwd[0] != '/') r++;
    char buf[64]; snprintf(buf, sizeof buf, "%d-%s", x & 3, "abc"); if (strlen(buf) > 30) r++;
    int a, b; if (sscanf("12 13", "%d %d", &a, &b) == 2 && a > b) r++;
    double ip; if (modf(2.5, &ip) > 1 || ip > 5) r++;
    int e; if (frexp(8.0, &e) > 1 || e > 50) r++;
    char *end; long l = strtol("77x", &end, 10); if (l != 77 || *end != 'x') r++;
    struct pad p = make(x), q = p, arr[3]; for (int i = 0; i < 3; i++) arr[i] = q;
    if (arr[x & 1].i == 7) r += arr[1].s;
    union u u; u.i = x; if (u.c[0] == 1) r++;
    union u w; w.c[0] = 1; w.c[1] = 2; union u w2 = w; if (w2.c[1] == 3) r++;
    if (setjmp(jb) == 0) { if (x == 5) longjmp(jb, 1); } else r += 2;
    r += sum(3, 1, 2, x & 1);
    char *m = malloc(10); if (!m) return 0; strcpy(m, "abc"); m = realloc(m, 40); strcat(m, "def"); if (m[5] != 'f') r++;
    free(m);
    struct pad z; memset(&z, 0, sizeof z); struct pad y; memset(&y, 0, sizeof y); if (memcmp(&z, &y, sizeof z)) r++;
    void *pm; if (posix_memalign(&pm, 64, 64) == 0) { memset(pm, 1, 64); r += ((char *)pm)[3]; free(pm); }
    int n = (x & 3) + 1, vla[n]; for (int i = 0; i < n; i++) vla[i] = i; if (vla[n - 1] > 2) r++;
    long double ld = x; if (ld > 3) r++;
    struct { unsigned a : 3, b : 4; } bf; bf.a = 2; bf.b = x & 15; if (bf.a == 2 && bf.b == 9) r++;
    int fds[2]; if (pipe(fds) == 0) { if (fds[0] < 0) r++; close(fds[0]); close(fds[1]); }
    div_t d = div(7, 2); if (d.rem == 0) r++;
    return r;
}
