import ArgumentParser
import Foundation
import Pinning
import Scenarios
import TLSCore

struct Check: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Says whether apps with these pin configurations would accept these chains.",
        discussion: """
            For release engineers, before a certificate is deployed: the app's own configuration, the chain that the \
            server will show, and what devices trust go in; one line comes out, and below it the reason, the path that \
            was built and each pin that was tried.

            With several configurations or chains a table comes out: each app that is in use with each chain that is \
            planned. Below it stands what would lock users out, and which pin those apps would have needed.

            Exit status: 0 the app accepts; 1 it does not, or not every TLS library would; of several, those that \
            --require names, all unless it is given; 64 usage; 65 a bad file, or a server that cannot be asked.
            """
    )

    enum Format: String, CaseIterable, ExpressibleByArgument { case text, json, markdown }

    @OptionGroup
    var policies: PolicySet

    @Option(
        help: ArgumentHelp(
            "A chain that the server will show, leaf first, in PEM. May be given repeatedly.",
            valueName: "file"
        ),
        completion: .file()
    )
    var chain: [String] = []

    @OptionGroup
    var servers: ServerSet

    @OptionGroup
    var trust: TrustFiles

    @Option(help: ArgumentHelp("The host that the app asks for (default: a server's own).", valueName: "name"))
    var host: String?

    @Option(help: ArgumentHelp("When, as in 2026-11-30 or 2026-11-30T12:00:00Z (default: now).", valueName: "time"))
    var at: String?

    @Option(
        help: ArgumentHelp(
            "Which must accept, as POLICY or POLICY@CHAIN, with * and ? for any characters. May be given repeatedly.",
            valueName: "pattern"
        )
    )
    var require: [String] = []

    @Option(help: ArgumentHelp("How: text, json or markdown.", valueName: "format"))
    var format: Format = .text

    @OptionGroup
    var output: OutputOptions

    func validate() throws {
        if let host, !host.canBeHost {
            throw ValidationError("--host '\(host)' is not the name of a host, as in api.example.com")
        }
        if chain.isEmpty, servers.server.isEmpty {
            throw ValidationError("name what is shown: --chain FILE, --server HOST:PORT, or both")
        }
        if !chain.isEmpty, host == nil { throw ValidationError("--chain needs --host, the name that the app asks for") }
        if output.json, format == .markdown { throw ValidationError("--json and --format exclude each other") }
        try servers.validate()
    }

    func run() async throws {
        output.begin()
        let accepted: Bool
        do {
            let rows = try policies.rows(appTrust: trust.appTrust)
            let columns = try await columns()
            let store = try trust.store()
            let instant = try at.map { try Instant.parse($0, "--at") } ?? Date()
            let isAlone = rows.count == 1 && columns.count == 1 && require.isEmpty && format != .markdown
            accepted =
                isAlone
                ? try write(CheckReport(rows[0], Situation(columns[0], store, at: instant), trust.sources(store)))
                : try write(matrix(rows, columns, store, instant))
        } catch let error as ValidationError {
            throw error
        } catch {
            Terminal.complain("\(error)")
            throw ExitCode(65)
        }
        try Terminal.finish()
        throw ExitCode(accepted ? 0 : 1)
    }

    private func columns() async throws -> [CheckMatrix.Column] {
        let served = try await servers.chains(host: host).map { server, chain in
            let shown = try chain.get()
            return CheckMatrix.Column(server.name, host: host ?? server.asked, chain: shown)
        }
        return try chain.map { CheckMatrix.Column($0, host: host ?? "", chain: try PolicyInput.certificates($0)) }
            + served
    }

    private func write(_ report: CheckReport) throws -> Bool {
        if output.json || format == .json {
            Terminal.write(json: try report.json())
        } else {
            Terminal.write(report.text(output.style))
        }
        return report.isAccepted
    }

    private func write(_ matrix: CheckMatrix) throws -> Bool {
        switch format {
        case .text where !output.json: Terminal.write(matrix.text(output.style))
        case .text, .json: Terminal.write(json: try matrix.json())
        case .markdown: Terminal.write(matrix.markdown())
        }
        return matrix.isAccepted
    }

    private func matrix(
        _ rows: [CheckMatrix.Row],
        _ columns: [CheckMatrix.Column],
        _ store: TrustStore,
        _ instant: Date
    ) throws -> CheckMatrix {
        let patterns = require.map { pattern in
            // A server's name has no @, and the name of a file hardly ever.
            let parts = pattern.split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            return (text: pattern, policy: Glob(parts[0]), chain: parts.count > 1 ? Glob(parts[1]) : Glob("*"))
        }
        func fits(_ pattern: (text: String, policy: Glob, chain: Glob), _ row: String, _ column: String) -> Bool {
            row.isFile(pattern.policy) && column.isFile(pattern.chain)
        }
        for pattern in patterns
        where !rows.contains(where: { row in
            columns.contains { fits(pattern, row.name, $0.name) }
        }) {
            let names = rows.map(\.name).joined(separator: ", ")
            throw ValidationError("--require '\(pattern.text)' matches nothing; the policies are \(names)")
        }
        return CheckMatrix(rows: rows, columns: columns, store: store, sources: trust.sources(store), at: instant) {
            row,
            column in patterns.isEmpty || patterns.contains { fits($0, row.name, column.name) }
        }
    }
}

extension String {
    /// Whether a pattern fits a path, or its end from one of its folders on.
    fileprivate func isFile(_ pattern: Glob) -> Bool {
        let parts = split(separator: "/")
        return pattern.matches(self) || parts.indices.contains { pattern.matches(parts[$0...].joined(separator: "/")) }
    }
}

extension Situation {
    init(_ column: CheckMatrix.Column, _ store: TrustStore, at instant: Date) {
        self.init(chain: column.chain, store: store, host: column.host, at: instant)
    }
}

/// Moments as the command line writes them.
enum Instant {
    /// - Parameter option: for the complaint.
    /// - Throws: `ValidationError`.
    static func parse(_ text: String, _ option: String) throws -> Date {
        let day = Date.ISO8601FormatStyle(timeZone: .gmt).year().month().day()
        guard let date = (try? Date(text, strategy: .iso8601)) ?? (try? Date(text, strategy: day)) else {
            throw ValidationError("\(option) '\(text)' is no time; write 2026-11-30 or 2026-11-30T12:00:00Z")
        }
        return date
    }
}
