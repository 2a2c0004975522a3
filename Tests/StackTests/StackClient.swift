import Foundation
import Pinning
import TLSCore
import TestSupport

/// A client that runs on one TLS stack, in a process that stays: it is told servers line by line, and answers in lines.
final class StackClient {
    let name: String
    /// What it must do.
    let model: @Sendable (Situation) -> Decision
    private let process = Process()
    private let questions = Pipe()
    private let answers = Pipe()
    private var unread: [UInt8] = []

    /// `nil` where what it needs is not here.
    private init?(
        _ name: String,
        on stack: TrustStack,
        _ program: String,
        _ arguments: [String]
    ) throws {
        guard let tool = Tool(program) else {
            print("\(program) is not here: \(name) is not compared")
            return nil
        }
        self.name = name
        model = { $0.on(stack).decide(.unpinned) }
        process.executableURL = tool.url
        process.arguments = arguments
        process.standardInput = questions
        process.standardOutput = answers
        process.standardError = FileHandle.nullDevice
        try process.run()
    }

    deinit {
        questions.fileHandleForWriting.closeFile()
        process.terminate()
        process.waitUntilExit()
    }

    /// Every client of this machine; what must be built is built in the folder.
    static func all(in folder: URL) throws -> [StackClient] {
        let sources = Places.package.appending(path: "Tests/StackTests/Clients")
        func source(_ name: String) -> String { sources.appending(path: name).path }
        let out = folder.appending(path: "output").path
        // gnutls-cli asks for a purpose as well, which wget does not.
        var clients = try [("curl", TrustStack.openSSL), ("wget", .gnuTLS)]
            .compactMap { name, stack in
                try Tool(name).flatMap { _ in
                    try StackClient(name, on: stack, "sh", [source("commands.sh"), name, "\(out)-\(name)"])
                }
            }
        clients += [
            try StackClient("Python", on: .openSSLToRoots, "python3", [source("python.py")]),
            try StackClient("Node", on: .openSSLToRoots, "node", [source("node.js")]),
        ].compactMap(\.self)
        let environment = ProcessInfo.processInfo.environment
        let go = folder.appending(path: "go").path
        if try Tool("go")?.run(["build", "-o", go, source("go.go")], environment: environment).status == 0 {
            clients += [try StackClient("Go", on: .go, "env", [go])].compactMap(\.self)
        }
        if try Tool("javac")?.run(["-d", folder.path, source("Jsse.java")], environment: environment).status == 0 {
            clients += [try StackClient("Java", on: .java, "java", ["-cp", folder.path, "Jsse"])].compactMap(\.self)
        }
        return clients
    }

    func ask(port: Int, host: String, anchors: URL) throws {
        try questions.fileHandleForWriting.write(contentsOf: Data("\(port) \(host) \(anchors.path)\n".utf8))
    }

    /// What it did, and why.
    func answer() -> (accepts: Bool, line: String) {
        while true {
            if let end = unread.firstIndex(of: 10) {
                let line = String(decoding: unread[..<end], as: UTF8.self)
                unread.removeSubrange(...end)
                return (line == "accept", line)
            }
            let data = answers.fileHandleForReading.availableData
            if data.isEmpty { return (false, "it has ended") }
            unread += Array(data)
        }
    }
}
