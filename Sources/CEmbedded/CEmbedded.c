#include "CEmbedded.h"

// The compiler of C17 takes it too, and says so each time.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char publicSuffixes[] = {
#embed "Data/public_suffix_list.txt"
};

static const unsigned char authorities[] = {
#embed "Data/authorities.tsv"
};

static const unsigned char findings[] = {
#embed "Data/findings.md"
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

static const unsigned char demo[] = {
#embed "Data/demo.json"
};

static const unsigned char openAPI[] = {
#embed "Data/openapi.json"
};

static const unsigned char dashboardIndexHtml[] = {
#embed "Data/dashboard/index.html"
};

static const unsigned char dashboardChainJs[] = {
#embed "Data/dashboard/chain.js"
};

static const unsigned char dashboardConnectionsJs[] = {
#embed "Data/dashboard/connections.js"
};

static const unsigned char dashboardDashboardJs[] = {
#embed "Data/dashboard/dashboard.js"
};

static const unsigned char dashboardDrillJs[] = {
#embed "Data/dashboard/drill.js"
};

static const unsigned char dashboardElementsJs[] = {
#embed "Data/dashboard/elements.js"
};

static const unsigned char dashboardIconSvg[] = {
#embed "Data/dashboard/icon.svg"
};

static const unsigned char dashboardLessonTextsJs[] = {
#embed "Data/dashboard/lesson-texts.js"
};

static const unsigned char dashboardLessonJs[] = {
#embed "Data/dashboard/lesson.js"
};

static const unsigned char dashboardObserveJs[] = {
#embed "Data/dashboard/observe.js"
};

static const unsigned char dashboardQRCodeJs[] = {
#embed "Data/dashboard/qr-code.js"
};

static const unsigned char dashboardReportJs[] = {
#embed "Data/dashboard/report.js"
};

static const unsigned char dashboardResultJs[] = {
#embed "Data/dashboard/result.js"
};

static const unsigned char dashboardRunJs[] = {
#embed "Data/dashboard/run.js"
};

static const unsigned char dashboardServerJs[] = {
#embed "Data/dashboard/server.js"
};

static const unsigned char dashboardStyleCss[] = {
#embed "Data/dashboard/style.css"
};

static const unsigned char dashboardTextsJs[] = {
#embed "Data/dashboard/texts.js"
};

static const unsigned char dashboardTimelineJs[] = {
#embed "Data/dashboard/timeline.js"
};

static const unsigned char dashboardWordsJs[] = {
#embed "Data/dashboard/words.js"
};

static const unsigned char reportPage[] = {
#embed "Data/report/page.mustache"
};

static const unsigned char reportTrial[] = {
#embed "Data/report/trial.mustache"
};

static const unsigned char reportAudit[] = {
#embed "Data/report/audit.mustache"
};

static const unsigned char reportBrief[] = {
#embed "Data/report/brief.mustache"
};

static const unsigned char reportTree[] = {
#embed "Data/report/tree.mustache"
};

static const unsigned char reportStyle[] = {
#embed "Data/report/style.css"
};

static const unsigned char reportFilter[] = {
#embed "Data/report/filter.js"
};

CEmbeddedFile CEmbeddedPublicSuffixes(void) { return (CEmbeddedFile){publicSuffixes, sizeof publicSuffixes}; }

CEmbeddedFile CEmbeddedAuthorities(void) {
    return (CEmbeddedFile){authorities, sizeof authorities};
}

CEmbeddedFile CEmbeddedFindings(void) { return (CEmbeddedFile){findings, sizeof findings}; }

CEmbeddedFile CEmbeddedDemo(void) { return (CEmbeddedFile){demo, sizeof demo}; }

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
    // The lesson has the words of the demo.
    {"demo.json", {demo, sizeof demo}},
    {"index.html", {dashboardIndexHtml, sizeof dashboardIndexHtml}},
    {"chain.js", {dashboardChainJs, sizeof dashboardChainJs}},
    {"connections.js", {dashboardConnectionsJs, sizeof dashboardConnectionsJs}},
    {"dashboard.js", {dashboardDashboardJs, sizeof dashboardDashboardJs}},
    {"drill.js", {dashboardDrillJs, sizeof dashboardDrillJs}},
    {"elements.js", {dashboardElementsJs, sizeof dashboardElementsJs}},
    {"icon.svg", {dashboardIconSvg, sizeof dashboardIconSvg}},
    {"lesson-texts.js", {dashboardLessonTextsJs, sizeof dashboardLessonTextsJs}},
    {"lesson.js", {dashboardLessonJs, sizeof dashboardLessonJs}},
    {"observe.js", {dashboardObserveJs, sizeof dashboardObserveJs}},
    {"qr-code.js", {dashboardQRCodeJs, sizeof dashboardQRCodeJs}},
    {"report.js", {dashboardReportJs, sizeof dashboardReportJs}},
    {"result.js", {dashboardResultJs, sizeof dashboardResultJs}},
    {"run.js", {dashboardRunJs, sizeof dashboardRunJs}},
    {"server.js", {dashboardServerJs, sizeof dashboardServerJs}},
    {"style.css", {dashboardStyleCss, sizeof dashboardStyleCss}},
    {"texts.js", {dashboardTextsJs, sizeof dashboardTextsJs}},
    {"timeline.js", {dashboardTimelineJs, sizeof dashboardTimelineJs}},
    {"words.js", {dashboardWordsJs, sizeof dashboardWordsJs}},
};

const CEmbeddedNamedFile *CEmbeddedDashboardFiles(size_t *count) {
    *count = sizeof dashboardFiles / sizeof dashboardFiles[0];
    return dashboardFiles;
}

static const CEmbeddedNamedFile reportFiles[] = {
    {"page.mustache", {reportPage, sizeof reportPage}},
    {"trial.mustache", {reportTrial, sizeof reportTrial}},
    {"brief.mustache", {reportBrief, sizeof reportBrief}},
    {"tree.mustache", {reportTree, sizeof reportTree}},
    {"audit.mustache", {reportAudit, sizeof reportAudit}},
    {"style.css", {reportStyle, sizeof reportStyle}},
    {"filter.js", {reportFilter, sizeof reportFilter}},
};

const CEmbeddedNamedFile *CEmbeddedReportFiles(size_t *count) {
    *count = sizeof reportFiles / sizeof reportFiles[0];
    return reportFiles;
}
