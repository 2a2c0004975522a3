import COpenSSL

/// The names below an authority that it may, or may not, vouch for (RFC 5280 section 4.2.1.10).
///
/// An address stands here with its mask behind it, in 8 or 32 bytes.
package struct NameConstraints: Hashable, Sendable {
    package var permitted: [SubjectName] = []
    package var excluded: [SubjectName] = []

    package init(permitted: [SubjectName] = [], excluded: [SubjectName] = []) {
        self.permitted = permitted
        self.excluded = excluded
    }

    /// Whether a certificate with this name may stand below such an authority.
    package func allow(_ name: SubjectName) -> Bool {
        let own = permitted.filter { $0.isOfTheKind(of: name) }
        return (own.isEmpty || own.contains { $0.isAbove(name) }) && !excluded.contains { $0.isAbove(name) }
    }
}

extension SubjectName {
    fileprivate func isOfTheKind(of name: SubjectName) -> Bool {
        switch (self, name) {
        case (.dns, .dns), (.ip, .ip): true
        case (.other(let one, _), .other(let other, _)): one == other
        default: false
        }
    }

    /// Whether a name lies in the subtree that this one stands for.
    fileprivate func isAbove(_ name: SubjectName) -> Bool {
        switch (self, name) {
        case (.dns(let base), .dns(let name)):
            let (base, name) = (base.lowercased(), name.lowercased())
            return base.isEmpty || name == base || name.hasSuffix(".\(base)")
        case (.ip(let base), .ip(let address)) where base.count == 2 * address.count:
            return address.indices.allSatisfy {
                address[$0] & base[address.count + $0] == base[$0] & base[address.count + $0]
            }
        default: return self == name
        }
    }
}

extension Certificate {
    /// The names that it may vouch for; `nil` where nothing limits them.
    package var nameConstraints: NameConstraints? {
        let place = X509_get_ext_by_NID(x509.pointer, NID_name_constraints, -1)
        guard place >= 0, let data = X509_EXTENSION_get_data(X509_get_ext(x509.pointer, place)) else { return nil }
        let der = Array(UnsafeBufferPointer(start: ASN1_STRING_get0_data(data), count: Int(ASN1_STRING_length(data))))
        let lists = ASN1Element.list(in: der[...]).first?.children ?? []
        func names(_ tag: UInt8) -> [SubjectName] {
            lists.filter { $0.tag == tag }.flatMap(\.children).compactMap(\.children.first).map { name in
                switch name.tag {
                case 0x82: .dns(String(decoding: name.contents, as: UTF8.self))
                case 0x87: .ip(Array(name.contents))
                default: .other(tag: name.tag & 0x1F, contents: Array(name.contents))
                }
            }
        }
        return NameConstraints(permitted: names(0xA0), excluded: names(0xA1))
    }
}
