import Pinning
import TLSCore
import Witness

/// Why a client was not seen to accept its own server, and the one thing to change.
///
/// Until that is mended, nothing that it refuses means anything.
package struct Diagnosis: Hashable, Sendable, CustomStringConvertible {
    package let description: String
    /// Whether the command itself is wrong: no server would help.
    package let isMistake: Bool

    private init(_ description: String, isMistake: Bool = false) {
        self.description = description
        self.isMistake = isMistake
    }

    /// - Parameters:
    ///   - control: the client's own server, which it must accept.
    ///   - placeholders: what the client is told.
    ///   - host: the name that it should ask for.
    ///   - mayHang: whether we may have to end it: somebody said how long it may take.
    ///   - acceptsWithoutPins: whether it accepts the same server where it is given no pins; `nil`: that cannot be tried.
    /// - Returns: `nil` where it was seen to accept.
    package init?(
        of control: TrialResult,
        placeholders: [CommandPlaceholder],
        host: String,
        mayHang: Bool = false,
        acceptsWithoutPins: Bool? = nil
    ) {
        let isHung = control.steps.contains { $0.decisive?.report.ending == .timedOut }
        guard control.verdict != .pass || isHung && !mayHang else { return nil }
        guard let step = control.steps.first, let attempt = step.decisive else {
            self.init(control.steps.first.map { "\($0.judgement.grounds)" } ?? "there is nothing to play")
            return
        }
        let client = Account(attempt, host: host, placeholders: Set(placeholders))
        if let mistake = client.mistake {
            self.init(mistake, isMistake: true)
        } else if client.seen.isEmpty {
            self.init(client.neverConnected)
        } else {
            switch attempt.wire {
            case .cleartext:
                self.init("It spoke HTTP without TLS: its URL has to begin with https://, as {url} does" + client.said)
            case .accepted: self.init(client.accepted(missing: step.missing))
            case .rejected(let how): self.init(client.rejected(how, acceptsWithoutPins))
            case .inconclusive(.onlyElsewhere): self.init(client.askedForAnother)
            case .blind, .inconclusive: self.init(client.unclear(attempt.wire))
            }
        }
    }

    /// Why a client's exit status says nothing of the server, told by how it met one that every client must refuse.
    package init?(statusOf refusal: TrialResult) {
        let attempts = refusal.steps.filter { !$0.planned.isControl }.flatMap(\.attempts)
        guard let attempt = attempts.first(where: { $0.wire.isRejected && $0.report.word == .succeeded }) else {
            return nil
        }
        self.init(
            "It ends with exit status 0 also where it turned a forged certificate away, so its status says nothing: tell by "
                + "--refused 'text:…' what it prints then, or by --succeeded 'text:…' what it prints only when all went well"
                + Account.said(attempt.report)
        )
    }
}

/// One attempt that was meant to succeed, in sentences.
private struct Account {
    let report: ClientReport
    let seen: [Observation]
    let strays: [Observation]
    let host: String
    let placeholders: Set<CommandPlaceholder>

    init(_ attempt: AttemptResult, host: String, placeholders: Set<CommandPlaceholder>) {
        report = attempt.report
        seen = attempt.observations + attempt.elsewhere
        strays = attempt.elsewhere
        self.host = host
        self.placeholders = placeholders
    }

    static func said(_ report: ClientReport) -> String {
        ClientReport.tellingLine(of: report.output).map { ". It said: \($0)" } ?? ""
    }
    var said: String { Account.said(report) }

    private var isHung: Bool { report.ending == .timedOut }

    /// What is wrong with the command itself.
    var mistake: String? {
        switch report.ending {
        case .notStarted: return "It could not be started: \(report.account)"
        case nil where report.account.hasPrefix("not run: "): return report.account
        case .exited(let status) where seen.isEmpty && (status == 126 || status == 127):
            let reason =
                status == 127
                ? "a program that it starts was not found" : "a program that it starts may not be executed"
            return "It ended with exit status \(status): \(reason)" + said
        default: return nil
        }
    }

    var neverConnected: String {
        if isHung {
            return
                "It did not connect, and we ended it when its time was over: does it wait for input? It has none, and no terminal"
                + said
        }
        let isLed = !placeholders.isDisjoint(with: CommandPlaceholder.leading.union([.url, .port]))
        guard isLed else {
            return "It did not connect, and nothing in its command says where to: name the server as {url}" + said
        }
        if report.word != .succeeded, !placeholders.isDisjoint(with: CommandPlaceholder.leading) || host == "localhost"
        {
            return "It ended (\(report.account.prefix { $0 != ":" })) before it connected: mend what it complains of"
                + said
        }
        if host == "localhost" || !placeholders.isDisjoint(with: CommandPlaceholder.leading) {
            return "It ended with success and never connected: does its command make a request to {url}?" + said
        }
        return
            "It never connected: '\(host)' is a name that no network knows. Lead it here by --proxy or with {endpoint}, or "
            + "have it ask for --host localhost" + said
    }

    var askedForAnother: String {
        let name = strays.compactMap(\.target).first ?? "another host"
        return "It asked for '\(name)', and its server is '\(host)': give it {url}, or say --host \(name)" + said
    }

    func accepted(missing: [AnsweredRequest]) -> String {
        if isHung {
            return
                "It accepted its server and then did not end, so we ended it: have it end, or give it more time, as in --timeout 60s"
                + said
        }
        if let request = missing.first {
            return
                "It accepted its server and asked for \(request), which no --answer has: add --answer '\(request) json={}' with "
                + "what it needs" + said
        }
        let requests = seen.flatMap(\.requests)
        let asked = requests.last.map { "asked for \($0)" } ?? "sent its request"
        if report.word == .refused {
            return
                "It \(asked), and then ended as --refused describes a rejection: name there only what it does when it rejects a "
                + "server" + said
        }
        let route = requests.last.map { "\($0) " } ?? ""
        return
            "It accepted its server, \(asked), and then failed (\(report.account.prefix { $0 != ":" })): give it the answer that "
            + "it needs, as in --answer '\(route)json={\"ok\":true}'" + said
    }

    func rejected(_ how: Reaction.Rejection, _ acceptsWithoutPins: Bool?) -> String {
        let what = "It rejected its own server's good certificate (\(Reaction.rejected(how)))"
        if report.word == .succeeded {
            return
                "It closed the connection to its own server without a request (\(Reaction.rejected(how))) and ended with success: "
                + "have it ask for {url}, or if it rejected, tell by --refused 'text:…' what it prints then" + said
        }
        let names = seen.flatMap(\.events).compactMap {
            if case .hello(let hello) = $0 { hello.serverName } else { nil }
        }
        if names.isEmpty {
            return what
                + ". It named no host (no SNI), so it asked for an address: give it {url}, whose host is '\(host)'"
                + said
        }
        let isTrusting = !placeholders.isDisjoint(with: [.trust, .systemTrust, .userTrust])
        if !isTrusting {
            return
                what
                + ": nothing tells it to trust our roots. Give it the file {trust}, by an option or a variable of its own, "
                + "as in --env SSL_CERT_FILE={trust}" + said
        }
        if acceptsWithoutPins == true {
            return
                what + ", and accepts the same without pins: it does not read them as they are written. {pins} is "
                + "sha256//BASE64;…, and there are {pin}, {pins.hex}, {pin.hex} and {fingerprint}" + said
        }
        if case .alert(let alert) = how, alert.number == 48 {
            return
                what
                + ": that says that it does not know the root. It is in the file {trust}: does the client read that file, "
                + "and does no other setting take its place?" + said
        }
        let isPinned = placeholders.contains { $0.match != nil }
        return
            what + ": its root is in {trust}" + (isPinned ? ", its key in the pins" : "")
            + " and its name is '\(host)', so one of these is not used as it is meant" + said
    }

    func unclear(_ wire: Wire) -> String {
        isHung
            ? "It connected and then did not go on (\(wire)), and we ended it: does it speak TLS to this port from the start?"
                + said : "It connected, and proved nothing: it \(wire)" + said
    }
}
