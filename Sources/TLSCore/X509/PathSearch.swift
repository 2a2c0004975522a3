import COpenSSL
import Foundation

/// The paths that lead from a leaf to an anchor: what a TLS stack goes through that does not stop at the first.
///
/// Names, key identifiers, key usage and signatures are looked at here; everything else is asked of OpenSSL, one path at a
/// time. Each certificate stands in a path once, and so does each key of a subject. Anchors come before what was sent,
/// and that in the order sent.
struct PathSearch {
    /// As many as Go checks (`maxChainSignatureChecks`), so that nobody can keep us busy.
    static let mostSignatures = 100
    /// The other limits: complete paths, steps, and certificates in one path.
    static let (mostPaths, mostSteps, longestPath) = (32, 5000, 32)

    /// Whether a limit ended the search.
    private(set) var isCutShort = false

    private let nodes: [Node]
    private let anchorsAreKeys: Bool
    private let bySubject: [UInt: [Int]]
    private let useful: Set<UInt>
    private var signatures: [Edge: Bool] = [:]
    private var steps = 0

    private struct Node {
        let certificate: Certificate
        let isAnchor: Bool
        let isSent: Bool
        let subject: UInt
        let issuer: UInt

        init(_ certificate: Certificate, isAnchor: Bool, isSent: Bool) {
            self.certificate = certificate
            (self.isAnchor, self.isSent) = (isAnchor, isSent)
            subject = X509_subject_name_hash(certificate.x509.pointer)
            issuer = X509_issuer_name_hash(certificate.x509.pointer)
        }
    }

    private struct Edge: Hashable {
        var child: Int
        var issuer: Int
    }

    /// - Parameters:
    ///   - anchorsAreKeys: whether an anchor whose key usage lets it sign nothing is one all the same.
    ///   - isOut: whether a certificate spoils every path that it is in.
    init(
        _ chain: [Certificate],
        anchors: [Certificate],
        anchorsAreKeys: Bool,
        isOut: (_ certificate: Certificate, _ isAnchor: Bool) -> Bool
    ) {
        self.anchorsAreKeys = anchorsAreKeys
        let (trusted, sent) = (Set(anchors), Set(chain))
        let nodes = (chain.prefix(1) + anchors.uniqued + chain.uniqued).uniqued
            .map { Node($0, isAnchor: trusted.contains($0), isSent: sent.contains($0)) }
            .filter { $0.certificate == chain.first || !isOut($0.certificate, $0.isAnchor) }
        self.nodes = nodes
        bySubject = Dictionary(grouping: nodes.indices.dropFirst(), by: { nodes[$0].subject })
        useful = PathSearch.reachingAnchors(nodes)
    }

    /// The subjects, as OpenSSL hashes them, from which an anchor can be reached by names alone.
    private static func reachingAnchors(_ nodes: [Node]) -> Set<UInt> {
        let byIssuer = Dictionary(grouping: nodes, by: \.issuer)
        var found = Set(nodes.filter(\.isAnchor).map(\.subject))
        var waiting = Array(found)
        while let subject = waiting.popLast() {
            for child in byIssuer[subject, default: []] where found.insert(child.subject).inserted {
                waiting.append(child.subject)
            }
        }
        return found
    }

    /// Goes through the paths, leaf first and anchor last, until one is taken.
    ///
    /// - Parameter take: says whether to stop.
    mutating func walk(_ take: ([Certificate]) -> Bool) {
        guard !nodes.isEmpty else { return }
        var path = [0]
        var paths = 0
        _ = go(&path, &paths, take)
    }

    /// - Returns: whether the search is over.
    private mutating func go(_ path: inout [Int], _ paths: inout Int, _ take: ([Certificate]) -> Bool) -> Bool {
        // A path has a leaf at least.
        let last = path[path.count - 1]
        if nodes[last].isAnchor {
            paths += 1
            if take(path.map { nodes[$0].certificate }) || isOver(paths > PathSearch.mostPaths) { return true }
            // An anchor that was sent is an intermediate as well.
            guard nodes[last].isSent else { return false }
        }
        guard useful.contains(nodes[last].issuer) else { return false }
        for issuer in bySubject[nodes[last].issuer, default: []] {
            steps += 1
            if isOver(steps > PathSearch.mostSteps || path.count >= PathSearch.longestPath) { return true }
            guard mayBeIssuer(issuer, of: last), isNew(issuer, in: path) else { continue }
            guard isSigned(Edge(child: last, issuer: issuer)) else {
                if isCutShort { return true }
                continue
            }
            path.append(issuer)
            if go(&path, &paths, take) { return true }
            path.removeLast()
        }
        return false
    }

    private func mayBeIssuer(_ issuer: Int, of child: Int) -> Bool {
        switch X509_check_issued(pointer(issuer), pointer(child)) {
        case X509_V_OK: true
        case X509_V_ERR_KEYUSAGE_NO_CERTSIGN: anchorsAreKeys && nodes[issuer].isAnchor
        default: false
        }
    }

    private func pointer(_ node: Int) -> OpaquePointer { nodes[node].certificate.x509.pointer }

    private mutating func isOver(_ limit: Bool) -> Bool {
        if limit { isCutShort = true }
        return limit
    }

    private func isNew(_ node: Int, in path: [Int]) -> Bool {
        !path.contains { known in
            known == node
                || nodes[known].subject == nodes[node].subject
                    && EVP_PKEY_eq(X509_get0_pubkey(pointer(known)), X509_get0_pubkey(pointer(node))) == 1
        }
    }

    private mutating func isSigned(_ edge: Edge) -> Bool {
        if let known = signatures[edge] { return known }
        guard !isOver(signatures.count >= PathSearch.mostSignatures) else { return false }
        let isSigned = X509_get0_pubkey(pointer(edge.issuer)).map { X509_verify(pointer(edge.child), $0) == 1 } ?? false
        ERR_clear_error()
        signatures[edge] = isSigned
        return isSigned
    }
}
