/* A fuzz target: cJSON_ParseWithLength, and what it made as text. */
#include "cJSON.h"
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    cJSON *json = cJSON_ParseWithLength((const char *)data, size);
    if (json) free(cJSON_Print(json));
    cJSON_Delete(json);
    return 0;
}
