/* Which files a process may see: Landlock. */
#ifndef LAUNCHER_FILES_H
#define LAUNCHER_FILES_H
#include "words.h"

int landlock_version(void); /* 0: there is none */
void confine_files(const struct orders *orders);
#endif
