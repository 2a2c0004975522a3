package import NIOCore

/// One client's conversation with an `Origin` over HTTP/1.1: plaintext goes in, answers come out. Keeps connections
/// alive as the client asks, and answers HEAD without a body.
package struct OriginSession {
    private let answers: Answers
    private var requests = RequestReader()
    /// Whether all is said, and the connection is to end.
    package private(set) var isOver = false

    package init(_ origin: Origin) { self.init(Answers(origin)) }

    init(_ answers: Answers) { self.answers = answers }

    /// Takes what the client said, and returns what it is to be answered, empty where there is nothing to say yet.
    package mutating func receive(_ plaintext: ByteBuffer) -> ByteBuffer {
        var (question, answer) = (plaintext, ByteBuffer())
        do throws(RequestReader.Malformed) {
            while !isOver, let event = try requests.next(&question) {
                switch event {
                case .holdsBackBody: answer.writeStaticString("HTTP/1.1 100 Continue\r\n\r\n")
                case .request(let request): isOver = answers.write(request, to: &answer)
                }
            }
        } catch {
            isOver = true
            answer.writeStaticString(
                "HTTP/1.1 400 Bad Request\r\nconnection: close\r\ncontent-length: 0\r\n\r\n"
            )
        }
        return answer
    }
}
