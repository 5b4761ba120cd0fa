#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

/* An assertion that says what it is about where it fails: CMocka's own take no message. */
static const char *veer_about = "";
#define VEER_ABOUT(what, assertion) (veer_about = (what), (assertion), veer_about = "")
