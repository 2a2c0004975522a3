#include "CEmbedded.h"

// The compiler of C17 takes it too, and says so each time.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char publicSuffixes[] = {
#embed "Data/public_suffix_list.txt"
};

static const unsigned char scenarios[] = {
#embed "Data/scenarios.yaml"
};

static const unsigned char rotation[] = {
#embed "Data/catalogue/rotation.yaml"
};

static const unsigned char attack[] = {
#embed "Data/catalogue/attack.yaml"
};

static const unsigned char validation[] = {
#embed "Data/catalogue/validation.yaml"
};

static const unsigned char protocol[] = {
#embed "Data/catalogue/protocol.yaml"
};

static const unsigned char behaviour[] = {
#embed "Data/catalogue/behaviour.yaml"
};

static const unsigned char openAPI[] = {
#embed "Data/openapi.json"
};

static const unsigned char dashboardIndex[] = {
#embed "Data/dashboard/index.html"
};

CEmbeddedFile CEmbeddedPublicSuffixes(void) { return (CEmbeddedFile){publicSuffixes, sizeof publicSuffixes}; }

CEmbeddedFile CEmbeddedOpenAPI(void) { return (CEmbeddedFile){openAPI, sizeof openAPI}; }

static const CEmbeddedNamedFile scenarioFiles[] = {
    {"scenarios.yaml", {scenarios, sizeof scenarios}},
    {"catalogue/rotation.yaml", {rotation, sizeof rotation}},
    {"catalogue/attack.yaml", {attack, sizeof attack}},
    {"catalogue/validation.yaml", {validation, sizeof validation}},
    {"catalogue/protocol.yaml", {protocol, sizeof protocol}},
    {"catalogue/behaviour.yaml", {behaviour, sizeof behaviour}},
};

const CEmbeddedNamedFile *CEmbeddedScenarioFiles(size_t *count) {
    *count = sizeof scenarioFiles / sizeof scenarioFiles[0];
    return scenarioFiles;
}

static const CEmbeddedNamedFile dashboardFiles[] = {
    {"index.html", {dashboardIndex, sizeof dashboardIndex}},
};

const CEmbeddedNamedFile *CEmbeddedDashboardFiles(size_t *count) {
    *count = sizeof dashboardFiles / sizeof dashboardFiles[0];
    return dashboardFiles;
}
