import Foundation
import Pinning
import TLSCore
import TestSupport

/// A client that runs on one TLS stack, in a process that stays: it is told servers line by line, and answers in lines.
final class StackClient {
    enum Answer: Equatable {
        case accepts
        case rejects(String)
        /// It said nothing about the chain: it has ended, or what it says cannot be read, or the connection failed.
        case fails(String)
    }

    let name: String
    /// What it must do.
    let model: @Sendable (Situation) -> Decision
    /// Every so many chains it is asked: a program that starts anew for each is slow.
    let interval: Int
    private let program: ChildProgram
    private let questions = Pipe()
    private let answers = Pipe()
    private var unread: [UInt8] = []
    /// Who writes to a program that has ended gets an error, and no signal that ends the tests.
    private static let brokenPipesAreErrors: Void = { _ = signal(SIGPIPE, SIG_IGN) }()

    /// Throws where its program cannot be started.
    init(
        _ name: String,
        _ command: [String],
        every interval: Int = 1,
        model: @escaping @Sendable (Situation) -> Decision
    ) throws {
        self.name = name
        self.model = model
        self.interval = interval
        StackClient.brokenPipesAreErrors
        program = try ChildProgram(
            URL(filePath: "/usr/bin/env"),
            command,
            environment: ProcessInfo.processInfo.environment,
            input: .pipe(questions),
            output: .pipe(answers)
        )
    }

    deinit {
        try? questions.fileHandleForWriting.close()
        program.signal(SIGTERM)
        program.waitUntilExit()
    }

    /// - Parameters:
    ///   - anchors: a file of PEM, all that it may trust.
    ///   - pin: the leaf's, for a client that pins.
    ///   - instant: when, for a client that can be told; `nil`: now.
    func ask(port: Int, host: String, anchors: URL, pin: Pin, at instant: Date? = nil) {
        // Who has ended already says so when it is asked for its answer.
        let milliseconds = instant.map { String(Int(($0.timeIntervalSince1970 * 1000).rounded())) } ?? "-"
        let line = "\(port) \(host) \(anchors.path) \(pin.base64) \(milliseconds)\n"
        try? questions.fileHandleForWriting.write(contentsOf: Data(line.utf8))
    }

    /// What it did, and why.
    func answer() -> Answer {
        while true {
            if let end = unread.firstIndex(of: 10) {
                let line = String(decoding: unread[..<end], as: UTF8.self)
                unread.removeSubrange(...end)
                return Answer(line)
            }
            let data = answers.fileHandleForReading.availableData
            if data.isEmpty { return .fails("it has ended") }
            unread += Array(data)
        }
    }
}

extension StackClient.Answer {
    fileprivate init(_ line: String) {
        let parts = line.split(separator: " ", maxSplits: 1)
        let reason = parts.dropFirst().first.map(String.init) ?? ""
        switch parts.first {
        case "accept": self = .accepts
        case "reject": self = .rejects(reason)
        case "fail": self = .fails(reason)
        default: self = .fails("not an answer: \(line)")
        }
    }
}
