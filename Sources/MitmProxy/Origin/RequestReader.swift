package import NIOCore
import TLSCore
package import Witness

/// Reads requests of HTTP/1 (RFC 9112) out of a stream of bytes, in whatever pieces they come: what an answer depends
/// upon, whom a request is for, and where the next one begins. Bodies and all other fields are read past, and only a
/// line that is not yet whole is kept.
package struct RequestReader {
    /// What an answer depends upon, and whom it is asked of.
    package struct Request: Equatable {
        package var method: String
        /// The path and query; of a request to a proxy, a whole URI.
        package var target: String
        /// 0 or 1, of HTTP/1.
        package var minorVersion: Int
        /// Whether the client wants to go on with this connection.
        package var isKeepAlive = false
        /// The first `Host` field that says anything.
        package var host: String?
        /// Whether an `Accept` field names JSON (RFC 9110 section 12.5.1).
        package var acceptsJSON = false
        /// What it tells a proxy to prove itself (RFC 9110 section 11.7.2).
        package var proxyAuthorization: String?
        package var isHTTP2 = false
        /// Whether it is a call of gRPC.
        package var isCall = false
        /// Those that an answer may need: of a WebSocket's beginning, or all.
        package var fields: [Field] = []

        /// The first field of this name, in lower case.
        func value(of name: String) -> String? { fields.first { $0.name.lowercased() == name }?.value }
    }

    package struct Field: Equatable {
        package var name: String
        package var value: String
    }

    package enum Event: Equatable {
        /// The client holds its body back until it is asked for (RFC 9110 section 10.1.1).
        case holdsBackBody
        /// A whole request has come.
        case request(Request)
    }

    /// What came is no HTTP/1, or says in two ways where it ends: nothing behind it can be read.
    package struct Malformed: Error {}

    /// Longer lines are malformed, and so are longer lists of fields: what SwiftNIO's decoder allows.
    package static let longestLine = 80 * 1024
    package static let mostFields = 256

    /// What comes next.
    private enum Place {
        case requestLine
        case fields
        case body(left: Int)
        case chunkSize
        case chunk(left: Int)
        case chunkEnd
        case trailers
    }

    /// The fields of a head that say how the request goes on and what follows it.
    private struct Framing {
        var count = 0
        var length: Int?
        /// Whether the last transfer coding is `chunked`, which knows its own end; `nil` where there is none.
        var isChunked: Bool?
        var saysClose = false
        var saysKeepAlive = false
        var expectsContinue = false
    }

    private var place = Place.requestLine
    private var request: Request?
    private var framing = Framing()
    /// The beginning of a line whose end has not come.
    private var partial: [UInt8] = []
    /// Whether that beginning, of a request line, reaches beyond the method.
    private var isMethodWhole = false
    /// How many bytes were taken out.
    private var offset = 0
    /// Where the line began that is being read.
    private var lineStart = 0
    private let canary: Canary?
    /// Whether all fields are kept.
    private let keepsFields: Bool
    /// The end of what came of a body, where a canary may begin.
    private var bodyTail: [UInt8] = []
    private var hasFoundInPartial = false
    /// Canaries that were found, until they are taken out.
    package var leaks: [Leak] = []
    /// The names of headers whose values are secrets, until they are taken out.
    package var secretHeaders: [String] = []

    /// - Parameter canary: what is looked for on the way.
    package init(canary: Canary? = nil, keepsFields: Bool = false) {
        self.canary = canary
        self.keepsFields = keepsFields
    }

    /// Takes out bytes up to the next event, or all of them; then `nil`.
    package mutating func next(_ bytes: inout ByteBuffer) throws(Malformed) -> Event? {
        while true {
            switch place {
            case .body(let left):
                guard skip(left, of: &bytes, { .body(left: $0) }) else { return nil }
                return finish()
            case .chunk(let left):
                guard skip(left, of: &bytes, { .chunk(left: $0) }) else { return nil }
                place = .chunkEnd
            default:
                guard let line = try takeLine(&bytes) else { return nil }
                if let event = line { return event }
            }
        }
    }

    /// Takes out a request's head and nothing behind it; `nil` while its end has not come.
    package mutating func head(_ bytes: inout ByteBuffer) throws(Malformed) -> Request? {
        while let event = try takeLine(&bytes) {
            switch (event, place) {
            case (.request(let request)?, _): return request
            case (_, .requestLine), (_, .fields): continue
            default: return request
            }
        }
        return nil
    }

    // MARK: Lines

    private typealias Line = UnsafeRawBufferPointer
    private typealias Words = Slice<UnsafeRawBufferPointer>

    private mutating func read(_ line: Line) throws(Malformed) -> Event? {
        switch place {
        case .requestLine:
            // Some clients end a body with a line too many (RFC 9112 section 2.2).
            guard !line.isEmpty else { return nil }
            request = try RequestReader.request(line)
            note(.requestLine, in: line)
            framing = Framing()
            place = .fields
        case .fields:
            guard line.isEmpty else {
                try note(line)
                return nil
            }
            return try endHead()
        case .chunkSize:
            let size = try RequestReader.chunkSize(line)
            framing.count = 0
            place = size == 0 ? .trailers : .chunk(left: size)
        case .chunkEnd:
            guard line.isEmpty else { throw Malformed() }
            place = .chunkSize
        case .trailers:
            guard line.isEmpty else {
                let name = try field(line).name
                note(.header(String(decoding: name, as: UTF8.self)), in: line)
                return nil
            }
            return finish()
        case .body, .chunk: preconditionFailure("these are not made of lines")
        }
        return nil
    }

    private mutating func endHead() throws(Malformed) -> Event? {
        let isNew = request?.minorVersion == 1
        request?.isKeepAlive = !framing.saysClose && (framing.saysKeepAlive || isNew)
        switch (framing.isChunked, framing.length) {
        case (nil, nil), (nil, 0): return finish()
        case (nil, let length?): place = .body(left: length)
        case (true, nil): place = .chunkSize
        // It ends nowhere, or in two places (RFC 9112 section 6.3).
        case (false, _), (true, _): throw Malformed()
        }
        return framing.expectsContinue && isNew ? .holdsBackBody : nil
    }

    private mutating func finish() -> Event? {
        place = .requestLine
        defer { request = nil }
        return request.map { .request($0) }
    }

    private mutating func note(_ line: Line) throws(Malformed) {
        let (name, value) = try field(line)
        note(.header(String(decoding: name, as: UTF8.self)), in: line)
        if name.isSecret { secretHeaders.append(String(decoding: name, as: UTF8.self)) }
        if keepsFields || name.isWord("upgrade") || name.prefix(13).isWord("sec-websocket") {
            let field = Field(
                name: String(decoding: name, as: UTF8.self),
                value: String(decoding: value, as: UTF8.self)
            )
            request?.fields.append(field)
        }
        switch name.count {
        case 4 where name.isWord("host") && !value.isEmpty && request?.host == nil:
            request?.host = String(decoding: value, as: UTF8.self)
        case 6 where name.isWord("accept"):
            if value.namesJSON { request?.acceptsJSON = true }
        case 6 where name.isWord("expect"): framing.expectsContinue = value.isWord("100-continue")
        case 10 where name.isWord("connection"):
            for word in value.split(separator: UInt8(ascii: ",")).map(\.trimmed) {
                if word.isWord("close") { framing.saysClose = true }
                if word.isWord("keep-alive") { framing.saysKeepAlive = true }
            }
        case 14 where name.isWord("content-length"):
            guard framing.length == nil, let length = RequestReader.number(value, base: 10) else { throw Malformed() }
            framing.length = length
        case 17 where name.isWord("transfer-encoding"):
            guard framing.isChunked != true else { throw Malformed() }
            framing.isChunked = value.split(separator: UInt8(ascii: ",")).last?.trimmed.isWord("chunked") ?? false
        case 19 where name.isWord("proxy-authorization"):
            request?.proxyAuthorization = String(decoding: value, as: UTF8.self)
        default: break
        }
    }

    /// A field line's name and value (RFC 9112 section 5). A line that continues the one before is malformed.
    private mutating func field(_ line: Line) throws(Malformed) -> (name: Words, value: Words) {
        framing.count += 1
        guard framing.count <= RequestReader.mostFields,
            let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > 0,
            line[..<colon].allSatisfy(RequestDetector.isToken)
        else { throw Malformed() }
        let value = line[(colon + 1)...]
        guard value.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }) else { throw Malformed() }
        return (line[..<colon], value.trimmed)
    }

    private static func request(_ line: Line) throws(Malformed) -> Request {
        let space = UInt8(ascii: " ")
        guard let first = line.firstIndex(of: space), let last = line.lastIndex(of: space), first < last
        else { throw Malformed() }
        let (method, target, version) = (line[..<first], line[(first + 1)..<last], line[(last + 1)...])
        let (old, new) = (version.elementsEqual("HTTP/1.0".utf8), version.elementsEqual("HTTP/1.1".utf8))
        guard !method.isEmpty, method.allSatisfy(RequestDetector.isToken),
            !target.isEmpty, target.allSatisfy({ $0 > 0x20 && $0 != 0x7F }), old || new
        else { throw Malformed() }
        return Request(
            method: String(decoding: method, as: UTF8.self),
            target: String(decoding: target, as: UTF8.self),
            minorVersion: old ? 0 : 1
        )
    }

    /// A chunk's size, before its extensions (RFC 9112 section 7.1).
    private static func chunkSize(_ line: Line) throws(Malformed) -> Int {
        let size = line.prefix { $0 != UInt8(ascii: ";") }.trimmed
        guard let size = number(size, base: 16) else { throw Malformed() }
        return size
    }

    /// Digits and nothing else, unlike `Int(_:radix:)`, which would take a sign.
    private static func number(_ digits: Words, base: Int) -> Int? {
        guard !digits.isEmpty else { return nil }
        var number = 0
        for digit in digits {
            let value: UInt8? =
                switch digit {
                case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
                case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
                case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
                default: nil
                }
            guard let value, value < base else { return nil }
            let (product, isTooMuch) = number.multipliedReportingOverflow(by: base)
            let (sum, isStillTooMuch) = product.addingReportingOverflow(Int(value))
            guard !isTooMuch, !isStillTooMuch else { return nil }
            number = sum
        }
        return number
    }

    // MARK: Bytes

    /// Takes out and reads a line, which may lack its CR (RFC 9112 section 2.2), or keeps its beginning: then `nil`. Looks
    /// at every byte once, however many pieces the line comes in.
    private mutating func takeLine(_ bytes: inout ByteBuffer) throws(Malformed) -> Event?? {
        let view = bytes.readableBytesView
        let end = view.firstIndex(of: UInt8(ascii: "\n"))
        let piece = view[..<(end ?? view.endIndex)]
        guard partial.count + piece.count <= RequestReader.longestLine else { throw Malformed() }
        // Garbage may never end a line, and waits for no answer.
        guard end != nil || !isRequestLine || isPlausibleMethod(piece) else { throw Malformed() }
        bytes.moveReaderIndex(forwardBy: piece.count + (end == nil ? 0 : 1))
        lineStart = offset - partial.count
        offset += piece.count + (end == nil ? 0 : 1)
        guard end != nil else {
            partial += piece
            searchPartial(piece.count)
            return nil
        }
        isMethodWhole = false
        defer { hasFoundInPartial = false }
        guard !partial.isEmpty else { return try piece.withUnsafeBytes { reading($0) }.get() }
        var line: [UInt8] = []
        swap(&line, &partial)
        line += piece
        return try line.withUnsafeBytes { reading($0) }.get()
    }

    private mutating func reading(_ line: Line) -> Result<Event?, Malformed> {
        let hasCR = line.last == UInt8(ascii: "\r")
        let known = leaks.count
        let result = Result { () throws(Malformed) in try read(hasCR ? Line(rebasing: line.dropLast()) : line) }
        if case .failure = result, leaks.count == known { note(.elsewhere, in: line) }
        return result
    }

    /// Whether a request line may go on like this: of a method all characters are known to be good.
    private mutating func isPlausibleMethod(_ piece: ByteBufferView) -> Bool {
        guard !isMethodWhole else { return true }
        let method = piece.prefix { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\r") }
        isMethodWhole = method.count < piece.count
        return method.allSatisfy(RequestDetector.isToken)
    }

    /// Notes the canaries of a line that ends here, unless its beginning had one already.
    private mutating func note(_ place: @autoclosure () -> Leak.Place, in line: Line) {
        guard let canary, !hasFoundInPartial else { return }
        for index in canary.places(in: line) { leaks.append(Leak(place(), offset: lineStart + index)) }
    }

    /// A line may never end: what of it left the client, left it.
    private mutating func searchPartial(_ count: Int) {
        guard let canary, !hasFoundInPartial else { return }
        let end = partial.suffix(count + Canary.overlap)
        guard let index = canary.places(in: end).first else { return }
        hasFoundInPartial = true
        let name = partial.prefix { $0 != UInt8(ascii: ":") }
        let place: Leak.Place =
            switch place {
            case .requestLine: .requestLine
            case .fields, .trailers: .header(String(decoding: name.prefix(64), as: UTF8.self))
            default: .elsewhere
            }
        leaks.append(Leak(place, offset: offset - end.count + index))
    }

    /// Canaries in bytes that cannot be read.
    package mutating func search(unreadable bytes: ByteBuffer) {
        guard let canary else { return }
        let rest = (hasFoundInPartial ? [] : partial) + bytes.readableBytesView
        for index in canary.places(in: rest) { leaks.append(Leak(.elsewhere, offset: offset - partial.count + index)) }
        offset += bytes.readableBytes
    }

    private var isRequestLine: Bool { if case .requestLine = place { true } else { false } }

    /// Whether all of them have come by now; if not, remembers how many are left.
    private mutating func skip(_ count: Int, of bytes: inout ByteBuffer, _ rest: (Int) -> Place) -> Bool {
        let there = min(count, bytes.readableBytes)
        if let canary {
            let piece = bodyTail + bytes.readableBytesView.prefix(there)
            for index in canary.places(in: piece) { leaks.append(Leak(.body, offset: offset - bodyTail.count + index)) }
            // One that was found must not be found again.
            let found = canary.places(in: piece.suffix(Canary.overlap)).isEmpty
            bodyTail = there < count && found ? Array(piece.suffix(Canary.overlap)) : []
        }
        offset += there
        bytes.moveReaderIndex(forwardBy: there)
        guard there < count else { return true }
        place = rest(count - there)
        return false
    }
}

extension Collection<UInt8> {
    /// Whether these are the letters of an ASCII word that is given in lower case.
    func isWord(_ word: StaticString) -> Bool {
        let letters = UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount)
        return count == letters.count && zip(self, letters).allSatisfy { $0.lowercased == $1 }
    }
}

extension BidirectionalCollection<UInt8>
where SubSequence: BidirectionalCollection<UInt8>, SubSequence.SubSequence == SubSequence {
    /// Whether a header of this name holds what only its sender may have.
    var isSecret: Bool {
        switch count {
        case 6: isWord("cookie")
        case 9: isWord("x-api-key")
        case 12: isWord("x-auth-token") || isWord("x-csrf-token")
        case 13: isWord("authorization")
        case 19: isWord("proxy-authorization")
        default: false
        }
    }

    /// Whether a list of media types names JSON.
    var namesJSON: Bool {
        split { $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: ";") }
            .contains { $0.trimmed.isWord("application/json") || $0.trimmed.suffix(5).isWord("+json") }
    }

    /// Without spaces and tabs around.
    var trimmed: SubSequence {
        var rest = drop(while: \.isBlank)
        while rest.last?.isBlank == true { rest = rest.dropLast() }
        return rest
    }
}

extension UInt8 {
    var isBlank: Bool { self == UInt8(ascii: " ") || self == UInt8(ascii: "\t") }

    fileprivate var lowercased: UInt8 { UInt8(ascii: "A")...UInt8(ascii: "Z") ~= self ? self | 0x20 : self }
}
