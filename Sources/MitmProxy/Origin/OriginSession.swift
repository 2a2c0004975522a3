package import NIOCore
package import Witness

/// One client's conversation with an `Origin` over HTTP/1.1: plaintext goes in, answers come out. Keeps connections
/// alive as the client asks, and answers HEAD without a body.
package struct OriginSession {
    private let answers: Answers
    /// Whether its client has not shown the certificate that is required.
    var lacksCertificate = false
    private var requests: RequestReader
    /// What the client said behind a request whose answer is not all said.
    private var unread = ByteBuffer()
    /// An answer that is held back, and of one that is begun what is left.
    private var held: (answer: Answer, isOld: Bool)?
    private var rest: Body?
    private var isChunked = false
    private var isCut = false
    /// Whether the last answer is begun, or held back.
    private var isLast = false
    /// Whether a WebSocket has begun: what comes is no request any more.
    private(set) var isUpgraded = false
    /// How long the rest of what there is to say is to be held back; then `resume` has the next piece.
    package private(set) var delay: TimeAmount?
    /// The requests that were read, until they are taken out.
    package var answered: [AnsweredRequest] = []

    private var isBusy: Bool { held != nil || rest != nil }

    /// Whether all is said, and the connection is to end.
    package var isOver: Bool { isLast && !isBusy }

    package init(_ origin: Origin) { self.init(Answers(origin)) }

    init(_ answers: Answers, canary: Canary? = nil) {
        self.answers = answers
        requests = RequestReader(canary: canary, keepsFields: answers.needsFields)
    }

    /// The canaries and the headers with secrets that came since this was last asked.
    mutating func takeLeaks() -> (canaries: [Leak], headers: [String]) {
        defer { (requests.leaks, requests.secretHeaders) = ([], []) }
        return (requests.leaks, requests.secretHeaders)
    }

    /// What came behind the beginning of a WebSocket.
    mutating func takeUnread() -> ByteBuffer {
        defer { unread = ByteBuffer() }
        return unread
    }

    /// Takes what the client said, and returns what it is to be answered, empty where there is nothing to say yet.
    package mutating func receive(_ plaintext: ByteBuffer) -> ByteBuffer {
        var more = plaintext
        guard !isBusy else {
            unread.writeBuffer(&more)
            return ByteBuffer()
        }
        return answer(&more)
    }

    /// The next piece of what there is to say, and behind the last what there is to say of all that came meanwhile.
    package mutating func resume() -> ByteBuffer {
        var bytes = ByteBuffer()
        delay = nil
        if let (answer, isOld) = held {
            held = nil
            write(answer, isOld: isOld, to: &bytes)
        } else if var body = rest {
            write(body.next(), to: &bytes)
            rest = body.isOver ? nil : body
            delay = rest?.delay
            if rest == nil, isChunked, !isCut { bytes.writeStaticString("0\r\n\r\n") }
        }
        guard !isBusy else { return bytes }
        var question = takeUnread()
        var more = answer(&question)
        bytes.writeBuffer(&more)
        return bytes
    }

    private mutating func answer(_ question: inout ByteBuffer) -> ByteBuffer {
        var answer = ByteBuffer()
        do throws(RequestReader.Malformed) {
            while !isLast, !isBusy, !isUpgraded, let event = try requests.next(&question) {
                switch event {
                case .holdsBackBody: answer.writeStaticString("HTTP/1.1 100 Continue\r\n\r\n")
                case .request(let request): write(request, to: &answer)
                }
            }
            if isBusy || isUpgraded { unread.writeBuffer(&question) }
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
        let answer = lacksCertificate ? answers.demandCertificate(of: request) : answers.answer(to: request)
        let isOld = request.minorVersion == 0
        answered.append(answer.request)
        isLast = answer.isLast || !request.isKeepAlive || isOld && answer.body.isOpenEnded
        delay = answer.delay
        if delay == nil { write(answer, isOld: isOld, to: &bytes) } else { held = (answer, isOld) }
    }

    private mutating func write(_ answer: Answer, isOld: Bool, to bytes: inout ByteBuffer) {
        guard answer.failure != .silence else { return }
        isChunked = answer.body.isOpenEnded && !isOld
        isCut = answer.failure != nil
        bytes.writeBytes(answer.page.head)
        if answer.isUpgrade {
            isUpgraded = true
            bytes.writeStaticString("connection: upgrade\r\n")
        } else if isLast {
            bytes.writeStaticString("connection: close\r\n")
        } else if isOld {
            // A client that speaks HTTP/1.0 believes in nothing it is not told (RFC 9112 section 9.3).
            bytes.writeStaticString("connection: keep-alive\r\n")
        }
        if isChunked { bytes.writeStaticString("transfer-encoding: chunked\r\n") }
        bytes.writeStaticString("\r\n")
        if let body = answer.body.whole {
            bytes.writeBytes(body)
        } else if !answer.body.isOver {
            (rest, delay) = (answer.body, answer.body.delay)
        }
    }

    /// A piece of a body whose length nobody knew before is a chunk (RFC 9112 section 7.1).
    private func write(_ piece: ByteBuffer, to bytes: inout ByteBuffer) {
        var piece = piece
        if isChunked { bytes.writeString("\(String(piece.readableBytes, radix: 16))\r\n") }
        bytes.writeBuffer(&piece)
        if isChunked { bytes.writeStaticString("\r\n") }
    }
}
