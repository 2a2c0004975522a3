package import TLSCore

/// A policy that apps write in code, and that is therefore declared in YAML: one document with one key, the dialect.
///
///     callback:
///       form: go-leaf
///       keys: [sha256/…]
package enum YAMLPolicy {
    /// Reads the declaration, for a certain dialect if one is given.
    ///
    /// - Parameter certificates: the certificates of a file that the declaration names.
    package static func parse(
        _ text: String,
        file: String,
        dialect: Dialect? = nil,
        device: AppDevice = AppDevice(),
        certificates: (String) throws -> [Certificate]
    ) throws(PolicyFileError) -> any PinConfiguration {
        let root: YAMLNode
        do throws(YAMLError) {
            let key = "the key of a dialect, as in 'callback:'"
            root = try YAMLNode(parsing: text, file: file, called: "a policy", beginning: key, takesAliases: false)
        } catch {
            throw PolicyFileError(file: file, [PolicyFileError.Problem(line: error.mark.line, error.message)])
        }
        // The reader is gone before this function ends, and the closure with it.
        let (read, problems) = withoutActuallyEscaping(certificates) { certificates in
            let reader = PolicyReader(device: device, certificates: certificates)
            return (policy(root, dialect: dialect, with: reader), reader.problems)
        }
        guard let read, problems.isEmpty else {
            throw PolicyFileError(file: file, problems.sorted { ($0.line ?? 0) < ($1.line ?? 0) })
        }
        return read
    }

    private static func policy(
        _ root: YAMLNode,
        dialect: Dialect?,
        with reader: PolicyReader
    ) -> (any PinConfiguration)? {
        let known = (dialect.map { [$0] } ?? Dialect.allCases)
            .filter { $0.configuration.format.readDeclaration != nil }.map(\.rawValue)
        let fields = reader.fields(root, known: known)
        guard fields.count <= 1 else {
            reader.report("declares \(fields.keys.sorted().joined(separator: " and ")); keep one", at: root)
            return nil
        }
        guard let (key, value) = fields.first, let declared = Dialect(rawValue: key),
            let read = declared.configuration.format.readDeclaration
        else {
            if reader.problems.isEmpty { reader.report("expected one of \(known.joined(separator: ", "))", at: root) }
            return nil
        }
        return read(reader, value)
    }
}
