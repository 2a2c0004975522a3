#include "CEmbedded.h"

// The compiler of C17 takes it too, and says so each time.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char publicSuffixes[] = {
#embed "Data/public_suffix_list.txt"
};

static const unsigned char scenarios[] = {
#embed "Data/scenarios.yaml"
};

CEmbeddedFile CEmbeddedPublicSuffixes(void) { return (CEmbeddedFile){publicSuffixes, sizeof publicSuffixes}; }

CEmbeddedFile CEmbeddedScenarios(void) { return (CEmbeddedFile){scenarios, sizeof scenarios}; }
