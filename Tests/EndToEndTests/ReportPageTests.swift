import Foundation
import TestSupport
import Testing

/// The HTML report in a real browser: `Clients/reportpage.py` says what it is held to.
@Suite(.enabled(if: Browser.python != nil, "chromium, or playwright and axe-playwright-python of PyPI are missing"))
struct ReportPageTests {
    /// What somebody says who wants to get into a page.
    static let payloads: [String] = {
        let ways = [
            "", "\"", "'", "\">", "'>", "</pre>", "</code></p>", "</summary></details>", "</title>", "</style>",
            "</script>",
            "-->", "<!--", "]]>", "&quot;>", "{{", "}}", "\u{202E}", "\u{0}", "<\u{301}",
        ]
        let ends = [
            "<script>window.broken=1</script>", "<img src=x onerror=window.broken=1>", "<svg onload=window.broken=1>",
            "<iframe src=javascript:window.broken=1>", "<a href=javascript:window.broken=1>x</a>",
            "<base href=//evil.example/>",
            "<style>*{display:none}</style>", "<link rel=stylesheet href=//evil.example/x>",
            "<form action=//evil.example>",
            "<meta http-equiv=refresh content='0;url=//evil.example'>", "onmouseover=window.broken=1 x=",
            "javascript:window.broken=1",
            "<details open ontoggle=window.broken=1>", "<math><mtext></p><img src=x onerror=window.broken=1>",
            "<ScRiPt>window.broken=1</sCrIpT>", "<script\u{0}>window.broken=1</script>",
            "<img/src=x/onerror=window.broken=1>",
            "{{{trials}}}<b>x</b>", "{{#steps}}{{.}}{{/steps}}", "{{>page}}",
            "&lt;script&gt;window.broken=1&lt;/script&gt;",
            "<template><script>window.broken=1</script></template>", "<object data=//evil.example>",
            "<body onload=window.broken=1>", "\u{FF1C}script\u{FF1E}window.broken=1",
        ]
        return ways.flatMap { way in ends.map { way + $0 } }
    }()

    /// A report of so many trials, in which somebody says those texts wherever a text can stand.
    private func report(_ count: Int, saying payloads: [String], in folder: URL) async throws -> URL {
        let path = folder.appending(path: "report.json")
        _ = try await Program.run(
            ["run", "--client", "reference", "--scenario", "rotated-to-backup", "--report", "json=\(path.path)"]
        )
        let data = try Data(contentsOf: path)
        var report = try #require(JSONSerialization.jsonObject(with: data) as? [String: Any])
        let template = try #require((report["trials"] as? [[String: Any]])?.first)
        report["trials"] = (0..<count).map { number -> [String: Any] in
            func said(_ place: Int) -> String {
                payloads.isEmpty ? "said \(number)" : payloads[(number * 7 + place) % payloads.count]
            }
            var trial = template
            trial["scenario"] = payloads.isEmpty ? "scenario-\(number / 50)" : "\(number) \(said(0))"
            trial["policy"] = "policy-\(number % 5)\(payloads.isEmpty ? "" : said(1))"
            trial["client"] = "client-\(number / 5 % 10)\(payloads.isEmpty ? "" : said(2))"
            guard !payloads.isEmpty else { return trial }
            trial["findings"] = [said(3)]
            trial["verdict"] = number % 2 == 0 ? "fail" : "pass"
            trial["steps"] = (template["steps"] as? [[String: Any]] ?? []).map { step in
                var step = step
                step["verdict"] = trial["verdict"]
                (step["grounds"], step["note"], step["presents"], step["store"]) = (said(4), said(5), said(6), said(0))
                (step["next_step"], step["leaks"], step["file"]) = (said(1), [said(2)], said(3))
                step["attempts"] = (step["attempts"] as? [[String: Any]] ?? []).map { attempt in
                    var attempt = attempt
                    (attempt["output"], attempt["account"], attempt["wire"]) = (
                        payloads[number % payloads.count], said(4), said(5)
                    )
                    attempt["connections"] = (attempt["connections"] as? [[String: Any]] ?? []).map { connection in
                        var connection = connection
                        (connection["timeline"], connection["target"], connection["request_line"]) = (
                            [said(6)], said(1), said(2)
                        )
                        return connection
                    }
                    return attempt
                }
                return step
            }
            return trial
        }
        if !payloads.isEmpty { (report["file"], report["command"]) = (payloads[3], ["run", payloads[5]]) }
        try JSONSerialization.data(withJSONObject: report).write(to: path)
        return path
    }

    private func open(_ count: Int, saying payloads: [String]) async throws -> (bytes: Int, ending: Program.Ending) {
        try await withTemporaryFolder { folder in
            let report = try await report(count, saying: payloads, in: folder)
            let (page, list) = (folder.appending(path: "report.html"), folder.appending(path: "payloads.json"))
            try JSONEncoder().encode(payloads).write(to: list)

            let converted = try await Program.run("report", "convert", report.path, "--report", "html=\(page.path)")
            #expect(converted.status == 0, "\(converted.errors)")
            let script = Places.package.appending(path: "Tests/EndToEndTests/Clients/reportpage.py")
            let ending = try await Started.with(
                try #require(Browser.python),
                [script.path, page.path, list.path],
                environment: ["HOME": folder.path],
                in: folder
            ) { try await $0.ending() }
            return (try Data(contentsOf: page).count, ending)
        }
    }

    @Test func `500 hostile texts run nothing, make no element, and are shown as they are`() async throws {
        #expect(Set(Self.payloads).count == 500)

        let (_, ending) = try await open(500, saying: Self.payloads)

        #expect(ending.status == 0, "\(ending.output)\(ending.errors)")
        #expect(ending.output.hasSuffix("done\n"))
    }

    @Test func `an ordinary page can be read by everybody, in light and dark, wide and narrow, and filtered`()
        async throws
    {
        let (_, ending) = try await open(60, saying: [])

        #expect(ending.status == 0, "\(ending.output)\(ending.errors)")
        #expect(ending.output.hasSuffix("done\n"))
    }
}
