#define VEER_ENDS return veer_failures /* of tests, which GoogleTest's own call */
