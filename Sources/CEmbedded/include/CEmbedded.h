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

/// The shipped scenario file.
CEmbeddedFile CEmbeddedScenarios(void);

#endif
