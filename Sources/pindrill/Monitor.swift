import ArgumentParser
import Forecast
import Foundation
import Pinning
import Scenarios
import TLSCore

struct Monitor: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Says whether every version in use accepts what servers show now, and what they will show next.",
        discussion: """
            For cron or a pipeline. Every address of a server's name is asked by itself, and what it shows is held against \
            every configuration. So is what comes next: a chain, or only the request or the public key for which the same \
            authority will sign. Certificates and pins that end are listed with the days that are left.

            Exit status: 0 all is well; 1 a chain is rejected, or something ends within --warn-days; 2 nothing is wrong, \
            and a server could not be asked, or nobody is known to sign a key; 64 usage; 65 a bad file.
            """
    )

    enum Format: String, CaseIterable, ExpressibleByArgument { case text, json, openmetrics }

    @OptionGroup
    var policies: PolicySet

    @OptionGroup
    var servers: ServerSet

    @Option(
        help: ArgumentHelp(
            "What will be shown: a chain in PEM, leaf first, or a request, a public key or a private one, of which only "
                + "the public half is read. May be given repeatedly.",
            valueName: "file"
        ),
        completion: .file()
    )
    var next: [String] = []

    @OptionGroup
    var trust: TrustFiles

    @Option(help: ArgumentHelp("The host that the app asks for (default: the server's own).", valueName: "name"))
    var host: String?

    @Option(help: ArgumentHelp("Status 1 where something ends in fewer days.", valueName: "days"))
    var warnDays = 7

    @Option(help: ArgumentHelp("When, as in 2026-11-30 or 2026-11-30T12:00:00Z (default: now).", valueName: "time"))
    var at: String?

    @Option(help: ArgumentHelp("How: text, json or openmetrics.", valueName: "format"))
    var format: Format = .text

    @OptionGroup
    var output: OutputOptions

    func validate() throws {
        if servers.server.isEmpty { throw ValidationError("Missing expected argument '--server <host:port>'") }
        if let host, !host.canBeHost {
            throw ValidationError("--host '\(host)' is not the name of a host, as in api.example.com")
        }
        guard 0...3650 ~= warnDays else { throw ValidationError("--warn-days is a number of days from 0 to 3650") }
        if output.json, format == .openmetrics { throw ValidationError("--json and --format exclude each other") }
    }

    func run() async throws {
        output.begin()
        let report: MonitorReport
        do {
            report = try await watch()
        } catch let error as ValidationError {
            throw error
        } catch {
            Terminal.complain("\(error)")
            throw ExitCode(65)
        }
        switch format {
        case .text where !output.json: Terminal.write(report.text(output.style))
        case .text, .json: Terminal.write(json: try report.json())
        case .openmetrics: Terminal.write(report.openMetrics())
        }
        // The text says it already, and the mail of cron has both.
        if output.quiet || output.json || format != .text {
            for silent in report.silent { Terminal.complain(silent.reason) }
        }
        try Terminal.finish()
        throw ExitCode(Int32(report.status.rawValue))
    }

    private func watch() async throws -> MonitorReport {
        let instant = try at.map { try Instant.parse($0, "--at") } ?? Date()
        let rows = try policies.rows(appTrust: trust.appTrust)
        let store = try trust.store()
        // A bad file is told before anybody is asked.
        let upcoming = try next.map { ($0, try PolicyInput.materials($0)) }
        var servers = try servers.servers()
        if let host, self.servers.serverName == nil { for index in servers.indices { servers[index].asked = host } }
        var (places, silent): ([(server: ServerSet.Server, address: String)], [MonitorReport.Silent]) = ([], [])
        for server in servers {
            let addresses = AddressLookup.addresses(of: server.host)
            places += addresses.map { (server, $0) }
            guard addresses.isEmpty else { continue }
            silent.append(.init(.served, name: server.name, reason: "\(server.name): no such host"))
        }
        var shown: [MonitorReport.Shown] = []
        var paths: [(host: String, path: [Certificate])] = []
        for (server, address, chain) in await self.servers.asked(places) {
            switch chain {
            case .failure(let error):
                silent.append(.init(.served, name: server.name, address: address, reason: "\(error)"))
            case .success(let chain):
                let situation = Situation(chain: chain, store: store, host: host ?? server.asked, at: instant)
                let cells = rows.map { CheckMatrix.Cell($0.configuration, situation) }
                shown.append(.init(.served, name: server.name, address: address, chain: chain, cells: cells))
                guard case .trusted(let path) = store.evaluate(chain, host: nil, at: nil, toleratesWeakness: true)
                else { continue }
                if !paths.contains(where: { $0.host == situation.host && $0.path.dropFirst() == path.dropFirst() }) {
                    paths.append((situation.host, path))
                }
            }
        }
        let hosts = servers.map { host ?? $0.asked }.uniqued
        for (name, materials) in upcoming {
            let coming = try following(name, materials, rows, paths, hosts, store, instant)
            if coming.isEmpty {
                let reason = "\(name): no server showed a trusted chain, so that it is not known who will sign this key"
                silent.append(.init(.next, name: name, reason: reason))
            }
            shown += coming
        }
        return MonitorReport(rows, hosts: hosts, shown: shown, silent: silent, at: instant, warnDays: warnDays)
    }

    /// What a file says will be shown: its chain, for each host; or its key, by each authority that signs today.
    private func following(
        _ name: String,
        _ materials: [KeyMaterial],
        _ rows: [CheckMatrix.Row],
        _ paths: [(host: String, path: [Certificate])],
        _ hosts: [String],
        _ store: TrustStore,
        _ instant: Date
    ) throws -> [MonitorReport.Shown] {
        let chain = materials.compactMap(\.certificate)
        if !chain.isEmpty {
            return hosts.map { host in
                let situation = Situation(chain: chain, store: store, host: host, at: instant)
                return .init(
                    .next,
                    name: hosts.count > 1 ? "\(name) for \(host)" : name,
                    chain: chain,
                    cells: rows.map { CheckMatrix.Cell($0.configuration, situation) }
                )
            }
        }
        return try paths.compactMap { host, path in
            guard let key = materials.first, let plan = Plan.renewal(of: path, with: key, at: instant) else {
                return nil
            }
            let chains = try PlannedChains(plan, host: host, roots: store)
            let event = plan.events.count - 1
            let situation = try chains.situation(event: event, at: instant)
            let cells = rows.map { row in
                var cell = CheckMatrix.Cell(chains.rules(row.configuration, event: event), situation)
                cell.needed = cell.needed.map { $0.map(chains.original) }
                return cell
            }
            let issuer = path.count > 1 ? ", signed by \(path[1].subject)" : ""
            return .init(.next, name: paths.count > 1 ? "\(name) for \(host)\(issuer)" : name, chain: [], cells: cells)
        }
    }
}
