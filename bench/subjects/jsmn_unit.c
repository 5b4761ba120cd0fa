#define JSMN_PARENT_LINKS
#define JSMN_STRICT
#include "jsmn.h"
