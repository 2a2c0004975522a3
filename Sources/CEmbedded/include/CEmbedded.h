#ifndef CEMBEDDED_H
#define CEMBEDDED_H

#include <stddef.h>

/// A file that the program carries along. Its bytes last as long as the program.
typedef struct {
    const unsigned char *_Nonnull bytes;
    size_t count;
} CEmbeddedFile;

/// Mozilla's public suffix list, as Scripts/public-suffixes writes it.
CEmbeddedFile CEmbeddedPublicSuffixes(void);

/// A shipped scenario file, and its name in the sources.
typedef struct {
    const char *_Nonnull name;
    CEmbeddedFile file;
} CEmbeddedScenarioFile;

/// The shipped scenario files: first the one that includes the others.
const CEmbeddedScenarioFile *_Nonnull CEmbeddedScenarioFiles(size_t *_Nonnull count);

#endif
