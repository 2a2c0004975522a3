import Foundation
import Pinning
package import TLSCore
package import Witness

/// What a collector must be told of a step by a client that reports as TrustKit does.
package struct ReportDemand: Hashable, Sendable {
    var host: String
    /// As a report writes them.
    var knownPins: Set<String>
    var enforces: Bool
    /// The fingerprints of what each chain sends, leaf first, and by `nil` those of what the device trusts.
    var certificates: [String?: [Pin]]
    /// The chains in which no pin matches: a report is due.
    var due: Set<String>
    /// The chains that are refused for another reason, where one may be sent.
    var possible: Set<String>

    /// What is wrong with what was reported in a step; `nil`: nothing.
    ///
    /// - Parameter seen: the connections that were shown something.
    package func complaint(about reports: [CollectedReport], seen: [Observation]) -> Grounds? {
        var told: [String: Int] = [:]
        for report in reports {
            do throws(Flaw) {
                told[try chain(in: report), default: 0] += 1
            } catch {
                return .wrongReport(error.words)
            }
        }
        for (chain, count) in told.sorted(by: { $0.key < $1.key }) {
            guard due.contains(chain) || possible.contains(chain) else { return .vainReport(chain) }
            let failures = seen.count { $0.shown == chain }
            if count > failures { return .repeatedReport(chain, count: count, failures: failures) }
        }
        let missing = seen.compactMap(\.shown).first { due.contains($0) && told[$0] == nil }
        return missing.map { .missingReport($0) }
    }

    struct Flaw: Error {
        var words: String

        init(_ words: String) { self.words = words }
    }

    /// Which chain it reports.
    private func chain(in collected: CollectedReport) throws(Flaw) -> String {
        guard collected.method == "POST" else { throw Flaw("it came by \(collected.method)") }
        guard collected.contentType.lowercased().hasPrefix("application/json") else {
            throw Flaw("its type is '\(collected.contentType.prefix(80))', not application/json")
        }
        let report = try TrustKitReport(checking: Data(collected.body))
        let name = SubjectName.relative(report.hostname.lowercased())
        guard name == host else { throw Flaw("it names the host '\(report.hostname.prefix(80))'") }
        let noted = SubjectName.relative(report.notedHostname.lowercased())
        guard name == noted || name.hasSuffix(".\(noted)") else {
            throw Flaw("it names the domain '\(report.notedHostname.prefix(80))'")
        }
        guard Set(report.knownPins) == knownPins else { throw Flaw("its known pins are not those of the policy") }
        guard report.enforcePinning == enforces else { throw Flaw("it says that pins are enforced: \(!enforces)") }
        guard report.validationResult != .success else { throw Flaw("it says that the validation succeeded") }
        guard (try? Date(report.dateTime, strategy: .iso8601)) != nil else {
            throw Flaw("its time is '\(report.dateTime.prefix(80))'")
        }
        let prints = try report.validatedCertificateChain.map(Self.fingerprint)
        guard let leaf = prints.first, let chain = certificates.first(where: { $0.value.first == leaf })?.key else {
            throw Flaw("its first certificate is not one that was shown")
        }
        let known = (certificates[chain] ?? []) + (certificates[nil] ?? [])
        guard prints.allSatisfy(known.contains) else { throw Flaw("a certificate in it was neither shown nor trusted") }
        return chain
    }

    private static func fingerprint(_ pem: String) throws(Flaw) -> Pin {
        let lines = pem.split(whereSeparator: \.isNewline)
        guard lines.first == "-----BEGIN CERTIFICATE-----", lines.last == "-----END CERTIFICATE-----",
            let der = Data(base64Encoded: lines.dropFirst().dropLast().joined()),
            let certificate = try? Certificate(der: Array(der))
        else { throw Flaw("a certificate in it is no PEM") }
        return certificate.fingerprint
    }
}

extension TrustKitReport {
    /// - Throws: what is wrong with its form.
    fileprivate init(checking body: Data) throws(ReportDemand.Flaw) {
        guard var object = (try? JSONSerialization.jsonObject(with: body)) as? [String: Any] else {
            throw ReportDemand.Flaw("it is no JSON object")
        }
        // TrustKit-Android does not say which version of Android it is.
        if object["app-platform"] as? String == "ANDROID" { object["app-platform-version"] = "" }
        do {
            self = try JSONDecoder().decode(Self.self, from: JSONSerialization.data(withJSONObject: object))
        } catch DecodingError.keyNotFound(let key, _) {
            throw ReportDemand.Flaw("it lacks '\(key.stringValue)'")
        } catch DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context),
            DecodingError.dataCorrupted(let context)
        {
            throw ReportDemand.Flaw("its '\(context.codingPath.first?.stringValue ?? "form")' is of the wrong kind")
        } catch {
            throw ReportDemand.Flaw("it cannot be read")
        }
    }
}

extension Oracle {
    /// `nil` where the step asks for no reports.
    func reportDemand(_ policy: PolicyDeclaration, _ shownChains: [ShownChain], _ step: Step, _ instant: Date) throws
        -> ReportDemand?
    {
        guard step.reports else { return nil }
        if step.clock != .zero {
            let moved = clocked(step, instant)
            return try moved.oracle.reportDemand(policy, shownChains, moved.step, moved.instant)
        }
        let scope = try configuration(of: policy, in: step, instant: instant).scope(for: step.host)
        var certificates: [String?: [Pin]] = [
            nil: try pki.store(named: step.store, at: step.at).anchors.map(\.certificate.fingerprint)
        ]
        for chain in step.present {
            certificates[chain] = try pki.identity(chain: chain, at: step.at, host: step.host).chain.map(\.fingerprint)
        }
        let isDue = { (decision: Decision) in decision.isRefusalByPin || decision.reason == .reportedOnly }
        return ReportDemand(
            host: step.host,
            knownPins: Set(
                (scope?.lists ?? []).flatMap(\.digests).map {
                    "pin-sha256=\"\(Data($0.digest).base64EncodedString())\""
                }
            ),
            enforces: scope?.failure != .report,
            certificates: certificates,
            due: Set(shownChains.filter { isDue($0.decision) }.map(\.chain)),
            possible: Set(shownChains.filter { $0.decision.demand != .accept && !isDue($0.decision) }.map(\.chain))
        )
    }
}

extension PKI {
    /// What a collector on this machine shows in TLS; `nil` where a store trusts none of the owner's authorities.
    package func collector(trustedBy store: String, at time: StoryTime) throws -> Identity? {
        let anchors = blueprint.store(named: store)?.anchors.map(\.authority) ?? []
        guard let anchor = anchors.first(where: { holder(ofAuthority: $0) == .owner }) else { return nil }
        let names = ["127.0.0.1", "localhost"].map { SubjectName($0) }
        return try authority(named: anchor, at: time).identity(.leaf(names: names, now: now), key: PrivateKey())
    }
}
