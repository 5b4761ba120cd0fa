/* Concrete work: cJSON parses, prints and deletes a document, 50 times. */
#include "cJSON.h"
#include <stdlib.h>

static const char text[] =
    "{\"name\": \"a value with some length\", \"list\": [1, 22, 333, 4444, 55555, -4.5e+6, true, false, null],"
    " \"deep\": {\"a\": {\"b\": {\"c\": [[], [1], [1, 2]]}}}, \"escaped\": \"tab\\t quote\\\" slash\\\\ \\u00e9\","
    " \"numbers\": {\"pi\": 3.14159, \"e\": 2.71828, \"big\": 1e300}, \"end\": \"\"}";

unsigned work(unsigned char unused) {
    unsigned sum = 0;
    (void)unused;
    for (int k = 0; k < 50; k++) {
        cJSON *json = cJSON_Parse(text);
        char *printed = cJSON_PrintUnformatted(json);
        for (const char *c = printed; *c; c++) sum = sum * 31 + (unsigned char)*c;
        free(printed);
        cJSON_Delete(json);
    }
    return sum;
}
