package import NIOCore
package import Witness

/// One client's conversation with an `Origin` over HTTP/1.1: plaintext goes in, answers come out. Keeps connections
/// alive as the client asks, and answers HEAD without a body.
package struct OriginSession {
    private let answers: Answers
    private var requests: RequestReader
    /// What the client said behind a request whose answer is held back.
    private var unread = ByteBuffer()
    private var held: ByteBuffer?
    /// Whether the last answer is written, or held back.
    private var isLast = false
    /// How long the rest of what there is to say is to be held back; then `resume` has it.
    package private(set) var delay: TimeAmount?
    /// The requests that were read, until they are taken out.
    package var answered: [AnsweredRequest] = []

    /// Whether all is said, and the connection is to end.
    package var isOver: Bool { isLast && held == nil }

    package init(_ origin: Origin) { self.init(Answers(origin)) }

    init(_ answers: Answers, canary: Canary? = nil) {
        self.answers = answers
        requests = RequestReader(canary: canary)
    }

    /// The canaries and the headers with secrets that came since this was last asked.
    mutating func takeLeaks() -> (canaries: [Leak], headers: [String]) {
        defer { (requests.leaks, requests.secretHeaders) = ([], []) }
        return (requests.leaks, requests.secretHeaders)
    }

    /// Takes what the client said, and returns what it is to be answered, empty where there is nothing to say yet.
    package mutating func receive(_ plaintext: ByteBuffer) -> ByteBuffer {
        var more = plaintext
        guard held == nil else {
            unread.writeBuffer(&more)
            return ByteBuffer()
        }
        return answer(&more)
    }

    /// What was held back, and what there is to say of all that came meanwhile.
    package mutating func resume() -> ByteBuffer {
        guard var answer = held else { return ByteBuffer() }
        (held, delay) = (nil, nil)
        var question = unread
        unread = ByteBuffer()
        var rest = self.answer(&question)
        answer.writeBuffer(&rest)
        return answer
    }

    private mutating func answer(_ question: inout ByteBuffer) -> ByteBuffer {
        var answer = ByteBuffer()
        do throws(RequestReader.Malformed) {
            while !isLast, held == nil, let event = try requests.next(&question) {
                switch event {
                case .holdsBackBody: answer.writeStaticString("HTTP/1.1 100 Continue\r\n\r\n")
                case .request(let request): write(request, to: &answer)
                }
            }
            if held != nil { unread.writeBuffer(&question) }
        } catch {
            isLast = true
            requests.search(unreadable: question)
            answer.writeStaticString(
                "HTTP/1.1 400 Bad Request\r\nconnection: close\r\ncontent-length: 0\r\n\r\n"
            )
        }
        return answer
    }

    private mutating func write(_ request: RequestReader.Request, to bytes: inout ByteBuffer) {
        let answer = answers.answer(to: request)
        answered.append(answer.request)
        isLast = answer.isLast || !request.isKeepAlive
        let end = bytes.writerIndex
        if answer.failure != .silence { write(answer, isOld: request.minorVersion == 0, to: &bytes) }
        guard let delay = answer.delay else { return }
        self.delay = delay
        held = bytes.getSlice(at: end, length: bytes.writerIndex - end)
        bytes.moveWriterIndex(to: end)
    }

    private func write(_ answer: Answer, isOld: Bool, to bytes: inout ByteBuffer) {
        let room = answer.page.head.count + OriginSession.longestEnd + answer.body.count
        bytes.reserveCapacity(minimumWritableBytes: room)
        bytes.writeBytes(answer.page.head)
        if isLast {
            bytes.writeStaticString("connection: close\r\n")
        } else if isOld {
            // A client that speaks HTTP/1.0 believes in nothing it is not told (RFC 9112 section 9.3).
            bytes.writeStaticString("connection: keep-alive\r\n")
        }
        bytes.writeStaticString("\r\n")
        bytes.writeBytes(answer.body)
    }

    private static let longestEnd = "connection: keep-alive\r\n\r\n".utf8.count
}
