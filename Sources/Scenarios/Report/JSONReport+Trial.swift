import Pinning
import TLSCore
import Witness

/// What a report says of one trial. Field names are the vocabulary of `docs/verdicts.md`; durations are in milliseconds.
extension JSONReport {
    struct Trial: Encodable {
        var scenario: String
        var policy: String
        var client: String
        /// Those of others' catalogues that the scenario is about; absent where there are none.
        var controls: [String]?
        var model: Bool
        var verdict: String
        var duration: Int64
        var deviation: Deviation?
        var findings: [String]?
        var steps: [Step]

        init(_ trial: TrialResult) {
            scenario = trial.scenario
            policy = trial.policy
            client = trial.client
            let named = trial.trial.scenario.tags.filter(\.isControl).map(\.name)
            controls = named.isEmpty ? nil : named
            model = trial.isModel
            verdict = trial.verdict.rawValue
            duration = trial.duration.milliseconds
            deviation = trial.trial.deviation.flatMap { declared in
                trial.deviatesAsDeclared.map {
                    .init(verdict: declared.verdict.rawValue, because: declared.because, seen: $0)
                }
            }
            findings = trial.findings.isEmpty ? nil : trial.findings
            steps = trial.steps.map { Step($0, policy: trial.policy) }
        }
    }

    struct Deviation: Encodable {
        var verdict: String
        var because: String
        var seen: Bool
    }

    struct Step: Encodable {
        var at: String
        var host: String
        var store: String
        var control: Bool
        var shown: [Shown]
        var verdict: String
        var grounds: String
        var advice: String?
        var consequence: String
        var declared: Bool
        var attribution: String?
        var note: String?
        var duration: Int64
        var attempts: [Attempt]
        var twin: Attempt?

        init(_ result: StepResult, policy: String) {
            let step = result.planned.step
            at = step.at.description
            host = step.host
            store = step.store
            control = result.planned.isControl
            shown = (result.planned.shownChains + result.planned.others).map(Shown.init)
            verdict = result.judgement.verdict.rawValue
            grounds = result.judgement.grounds.description
            advice = result.advice
            consequence = result.consequence.rawValue
            declared = result.isDeclared(for: policy)
            attribution = result.attribution?.rawValue
            note = step.note
            duration = result.duration.milliseconds
            attempts = result.attempts.map(Attempt.init)
            twin = result.twin.map(Attempt.init)
        }
    }

    struct Shown: Encodable {
        var chain: String
        var host: String?
        var key: String
        var holder: String
        var demand: String
        var reason: String

        init(_ shown: ShownChain) {
            chain = shown.chain
            host = shown.otherHost
            key = shown.key
            holder = shown.holder.rawValue
            demand = shown.decision.demand.rawValue
            reason = shown.decision.description
        }
    }

    struct Attempt: Encodable {
        var wire: String
        var word: String
        var account: String
        var output: String
        var verdict: String
        var duration: Int64
        var connections: [Connection]

        init(_ attempt: AttemptResult) {
            wire = attempt.wire.description
            word = attempt.report.word.rawValue
            account = attempt.report.account
            output = attempt.report.output
            verdict = attempt.judgement.verdict.rawValue
            duration = attempt.report.duration.milliseconds
            connections =
                attempt.observations.map { Connection($0, counts: true) }
                + attempt.elsewhere.map { Connection($0, counts: false) }
        }
    }

    struct Connection: Encodable {
        var target: String?
        /// Of whom a load balancer spoke.
        var forwardedFrom: String?
        var hello: Hello?
        var counts: Bool
        var shown: String?
        var certificateSha256: String?
        /// The chain was shown on an earlier connection.
        var resumed: Bool?
        var reaction: String
        var alert: UInt8?
        var version: String?
        var cipherSuite: String?
        var applicationProtocol: String?
        /// Of the client's own, where it was asked for one.
        var clientCertificate: ClientCertificate?
        var bytesReceived: Int
        var requestLine: String?
        var requests: [Request]?
        var canaries: [Canary]?
        var secretHeaders: [String]?

        init(_ observation: Observation, counts: Bool) {
            self.counts = counts
            target = observation.target
            forwardedFrom = observation.forwardedFrom
            reaction = observation.reaction.description
            bytesReceived = observation.bytesReceived
            requestLine = observation.requestLine
            if !observation.leaks.isEmpty { canaries = observation.leaks.map(Canary.init) }
            if !observation.secretHeaders.isEmpty { secretHeaders = observation.secretHeaders }
            if !observation.requests.isEmpty { requests = observation.requests.map(Request.init) }
            for event in observation.events {
                switch event {
                case .hello(let first): hello = Hello(first)
                case .presented(let identity, let fingerprint, _):
                    shown = identity
                    certificateSha256 = fingerprint.hex
                case .resumed(let origin):
                    shown = origin.identity
                    certificateSha256 = origin.fingerprint.hex
                    resumed = true
                case .alert(.inward, let received): alert = alert ?? received.number
                case .clientCertificate(let certificate, _): clientCertificate = ClientCertificate(certificate)
                case .established(let session):
                    version = session.version?.description
                    cipherSuite = session.cipherSuite
                    applicationProtocol = session.applicationProtocol
                default: break
                }
            }
        }
    }

    /// What the client proved itself by.
    struct ClientCertificate: Encodable {
        /// Absent if it has none, as the others are.
        var subject: String?
        var sha256: String?
        var verified: Bool?

        init(_ certificate: Witness.ClientCertificate?) {
            subject = certificate?.subject
            sha256 = certificate?.fingerprint.hex
            verified = certificate?.isVerified
        }
    }

    /// What the client offered.
    struct Hello: Encodable {
        var serverName: String?
        var applicationProtocols: [String]
        var versions: [String]
        /// Of the TLS stack (FoxIO's JA4), and the same without what one stack sends on some connections only.
        var ja4: String?
        var stack: String?

        init(_ hello: ClientHello) {
            serverName = hello.serverName
            applicationProtocols = hello.applicationProtocols
            versions = hello.versions.map(\.description)
            ja4 = hello.fingerprint?.text
            stack = hello.fingerprint?.stack
        }
    }

    /// A token of ours that arrived.
    struct Canary: Encodable {
        var place: String
        var header: String?
        var offset: Int

        init(_ leak: Leak) {
            offset = leak.offset
            switch leak.place {
            case .requestLine: place = "request-line"
            case .header(let name): (place, header) = ("header", name)
            case .body: place = "body"
            case .serverName: place = "server-name"
            case .lookup: place = "lookup"
            case .datagram: place = "datagram"
            case .elsewhere: place = "elsewhere"
            }
        }
    }

    struct Request: Encodable {
        var method: String
        var path: String
        var status: Int?
        var missing: Bool

        init(_ request: AnsweredRequest) {
            method = request.method
            path = request.path
            status = request.status
            missing = request.isMissing
        }
    }
}
