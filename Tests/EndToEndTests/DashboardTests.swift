import Foundation
import TestSupport
import Testing

/// The dashboard in a real browser, with curl as the phone: `Clients/dashboard.py` says what is held to what.
@Suite(
    .enabled(
        if: Browser.python != nil,
        "chromium, curl, zbarimg, or playwright and axe-playwright-python of PyPI are missing"
    )
)
struct DashboardTests {
    @Test(arguments: ["drill", "device", "views", "languages", "lesson"])
    func `the dashboard is played in a browser, and asks nobody but its server`(part: String) async throws {
        let python = try #require(Browser.python)
        let script = Places.package.appending(path: "Tests/EndToEndTests/Clients/dashboard.py")

        let ending = try await withTemporaryFolder { folder in
            try await Started.with(
                python,
                [script.path, Program.url.path, part],
                environment: ["HOME": folder.path],
                in: folder
            ) { try await $0.ending() }
        }

        #expect(ending.status == 0, "\(ending.output)\(ending.errors)")
        #expect(ending.output == "done\n")
    }
}

enum Browser {
    /// A Python that can drive it: the one that `Scripts/setup test` makes in CI, or the machine's own.
    static let python: URL? = {
        guard Tool("chromium") != nil, Tool("curl") != nil, Tool("zbarimg") != nil else { return nil }
        return python(with: "playwright, axe_playwright_python")
    }()

    /// One that can read reports of JUnit.
    static let junitPython = python(with: "junitparser, junit2htmlreport")

    /// The same for other modules.
    static func python(with modules: String) -> URL? {
        guard let shell = Tool("sh") else { return nil }
        let own = Places.package.appending(path: ".build/python/bin/python3")
        return [own, Tool("python3")?.url].compactMap(\.self).first {
            (try? shell.run(["-c", "'\($0.path)' -c 'import \(modules)'"]))?.status == 0
        }
    }
}
