#ifndef CSPAWN_H
#define CSPAWN_H

#include <sys/types.h>

/// Starts a program as the leader of a group of its own, with the three given descriptors for its standard streams and
/// no other, in `folder` or, where that is NULL, here. Arguments (the program's name first) and environment end with NULL.
///
/// Returns its process number, or the negated errno.
pid_t cspawn_start(
    const char *program, char *const arguments[], char *const environment[], const char *folder, int input, int output,
    int errors);

#endif
