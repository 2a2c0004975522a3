/// One ASN.1 element, found without understanding it (X.690 section 8.1): enough to tell what some bytes are, before
/// a parser that believes them is asked. BER's indefinite lengths are followed, as old PKCS#12 files have them.
struct ASN1Element {
    static let integer: UInt8 = 0x02
    static let bits: UInt8 = 0x03
    static let octets: UInt8 = 0x04
    static let identifier: UInt8 = 0x06
    static let sequence: UInt8 = 0x30
    private static let constructedOctets: UInt8 = 0x24

    let tag: UInt8
    let contents: ArraySlice<UInt8>
    /// How many bytes its length promises that are not there.
    let missing: Int

    /// Deeper than anything that OpenSSL itself would read (`ASN1_MAX_CONSTRUCTED_NEST`).
    private static let deepest = 30

    /// The elements that stand one after another, as far as they can be read.
    static func list(in bytes: ArraySlice<UInt8>) -> [ASN1Element] { list(in: bytes, depth: 0) }

    /// The elements inside this one; none where it is no container.
    var children: [ASN1Element] { tag & 0x20 == 0 ? [] : ASN1Element.list(in: contents) }

    /// All the work that password-based encryption in these bytes asks for: rounds of PBKDF2 and PKCS#12, or scrypt's N
    /// times r times p. The fields themselves are trusted by OpenSSL, and can be made to keep a machine busy for days.
    ///
    /// All these formats write the cost as whole numbers behind the octet string of the salt.
    static func cost(of bytes: ArraySlice<UInt8>) -> Int { cost(of: bytes, depth: 0) }

    private static func cost(of bytes: ArraySlice<UInt8>, depth: Int) -> Int {
        guard depth < deepest else { return .max }
        var (total, numbers): (Int, [Int]?) = (0, nil)
        func add(_ cost: Int) { total = cost > .max - total ? .max : total + cost }
        func endNumbers() {
            // One number is the rounds, and a second one the length of the key.
            let factors = numbers.map { $0.count < 3 ? $0.prefix(1) : $0.prefix(3) } ?? []
            add(factors.isEmpty ? 0 : factors.reduce(1) { $1 > .max / $0 ? .max : $0 * $1 })
            numbers = nil
        }
        for element in list(in: bytes) {
            if element.tag == integer {
                numbers?.append(element.wholeNumber)
                continue
            }
            endNumbers()
            if element.tag == octets || element.tag == constructedOctets {
                numbers = []
                let inner = element.octetContents
                if inner.first == sequence { add(cost(of: inner, depth: depth + 1)) }
            } else if element.tag & 0x20 != 0 {
                add(cost(of: element.contents, depth: depth + 1))
            }
        }
        endNumbers()
        return total
    }

    /// The bytes of an octet string, whether in one piece or, as BER allows, in several.
    private var octetContents: ArraySlice<UInt8> {
        tag == ASN1Element.constructedOctets ? ArraySlice(children.flatMap(\.contents)) : contents
    }

    /// At least one, so that a product keeps its other factors; `Int.max` for what no counter should be.
    private var wholeNumber: Int {
        let digits = contents.drop { $0 == 0 }
        guard digits.count < 8, contents.first.map({ $0 < 0x80 }) ?? true else { return .max }
        return max(1, digits.reduce(0) { $0 << 8 | Int($1) })
    }

    private static func list(in bytes: ArraySlice<UInt8>, depth: Int) -> [ASN1Element] {
        var rest = bytes
        var found: [ASN1Element] = []
        while let element = next(in: &rest, depth: depth) { found.append(element) }
        return found
    }

    /// Takes one element off the front; `nil` at the end, at an end-of-contents mark, and where none can be read.
    private static func next(in rest: inout ArraySlice<UInt8>, depth: Int) -> ASN1Element? {
        guard depth < deepest, rest.count >= 2, let tag = rest.first, tag != 0 else { return nil }
        // Tags above 30 take further bytes; nothing here has one.
        guard tag & 0x1F != 0x1F else { return nil }
        let first = rest[rest.startIndex + 1]
        var body = rest.dropFirst(2)
        if first == 0x80 {
            // Its contents end with an end-of-contents mark, which only reading them finds.
            let start = body
            while next(in: &body, depth: depth + 1) != nil {}
            let contents = start[start.startIndex..<body.startIndex]
            let hasEnd = body.starts(with: [0, 0])
            rest = hasEnd ? body.dropFirst(2) : body.dropFirst(body.count)
            return ASN1Element(tag: tag, contents: contents, missing: hasEnd ? 0 : 2)
        }
        var count = Int(first)
        if first > 0x80 {
            let digits = Int(first & 0x7F)
            guard digits <= 4, body.count >= digits else { return nil }
            count = body.prefix(digits).reduce(0) { $0 << 8 | Int($1) }
            body = body.dropFirst(digits)
        }
        rest = body.dropFirst(count)
        return ASN1Element(tag: tag, contents: body.prefix(count), missing: max(0, count - body.count))
    }
}
