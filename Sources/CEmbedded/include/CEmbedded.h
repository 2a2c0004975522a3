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

/// Public roots and what became of them, as Scripts/authorities writes them.
CEmbeddedFile CEmbeddedAuthorities(void);

/// What each rule of an audit means: docs/findings.md.
CEmbeddedFile CEmbeddedFindings(void);

/// What `pindrill demo` says, in JSON, by language.
CEmbeddedFile CEmbeddedDemo(void);

/// What the control plane answers: an OpenAPI document.
CEmbeddedFile CEmbeddedOpenAPI(void);

/// A file, and its name in the folder that it comes from.
typedef struct {
    const char *_Nonnull name;
    CEmbeddedFile file;
} CEmbeddedNamedFile;

/// The shipped scenario files: first the one that includes the others.
const CEmbeddedNamedFile *_Nonnull CEmbeddedScenarioFiles(size_t *_Nonnull count);

/// What the control plane shows in a browser.
const CEmbeddedNamedFile *_Nonnull CEmbeddedDashboardFiles(size_t *_Nonnull count);

/// Templates, style and script of the reports that people open in a browser.
const CEmbeddedNamedFile *_Nonnull CEmbeddedReportFiles(size_t *_Nonnull count);

#endif
