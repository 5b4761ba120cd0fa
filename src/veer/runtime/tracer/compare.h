/* The comparison of what two versions of an entry left. */
#ifndef VEER_COMPARE_H
#define VEER_COMPARE_H
void veer_compare_versions(void); /* ends the run as DIFFERS where they differ, else as the old one ended */
#endif
