import Foundation
import MitmHarness
import TestSupport
import Testing
import Witness

@testable import Scenarios

/// Real clients of gRPC and of WebSockets, which compare pins before they talk or never: each with its own server, and with an attacker.
@Suite struct `A real client` {
    private static let python = "/usr/bin/python3"

    private static func has(_ module: String) -> Bool {
        guard FileManager.default.isExecutableFile(atPath: python) else { return false }
        let result = try? Tool("sh")?.run(["-c", "\(python) -c 'import \(module)'"], environment: [:])
        return result?.status == 0
    }

    private static let steps = "- { present: today, store: attacked }\n- { present: forged, store: attacked }"

    private static func client(_ script: String) throws -> CommandClient {
        let run = "\(python) -c '\(script)'"
        return try CommandClient(
            CommandDeclaration(run: run, refused: OutcomeRule(exit: [60]), refusedPin: OutcomeRule(exit: [90]))
        )
    }

    /// Compares its pins before it calls, or never.
    private static func check(_ pins: Bool) -> String {
        """
        import base64, hashlib, os, socket, ssl, subprocess, sys
        address = ("127.0.0.1", int(os.environ["PINDRILL_ENDPOINT"].split(":")[1]))
        host = os.environ["PINDRILL_HOST"]
        pins = os.environ["PINDRILL_PINS"]
        def is_pinned(der):
            key = subprocess.run(["openssl", "x509", "-inform", "der", "-pubkey", "-noout"], input=der, capture_output=True)
            key = base64.b64decode("".join(key.stdout.decode().split("\\n")[1:-2]))
            return base64.b64encode(hashlib.sha256(key).digest()).decode() in pins
        pinning = \(pins ? "True" : "False")

        """
    }

    private static func webSocket(_ pins: Bool, hears answer: String = "hello") throws -> CommandClient {
        try client(
            check(pins) + """
                import asyncio, websockets
                async def talk():
                    context = ssl.create_default_context(cafile=os.environ["PINDRILL_TRUST"])
                    wire = socket.create_connection(address)
                    secure = context.wrap_socket(wire, server_hostname=host)
                    if pinning and not is_pinned(secure.getpeercert(True)):
                        sys.exit(90)
                    secure.close()
                    async with websockets.connect("wss://%s/chat" % host, host=address[0], port=address[1], ssl=context, server_hostname=host) as talk:
                        await talk.send("hello")
                        assert await talk.recv() == "\(answer)"
                try:
                    asyncio.run(talk())
                except ssl.SSLError as error:
                    print(error)
                    sys.exit(60)
                """
        )
    }

    private static func call(_ pins: Bool, hears answer: String = "") throws -> CommandClient {
        try client(
            check(pins) + """
                import grpc
                roots = open(os.environ["PINDRILL_TRUST"], "rb").read()
                if pinning:
                    context = ssl.create_default_context(cafile=os.environ["PINDRILL_TRUST"])
                    with context.wrap_socket(socket.create_connection(address), server_hostname=host) as wire:
                        if not is_pinned(wire.getpeercert(True)):
                            sys.exit(90)
                options = [("grpc.ssl_target_name_override", host), ("grpc.default_authority", host)]
                channel = grpc.secure_channel("127.0.0.1:%d" % address[1], grpc.ssl_channel_credentials(roots), options)
                buy = channel.unary_unary("/acme.Shop/Buy", lambda message: message, lambda message: message)
                assert buy(b"hello", timeout=30) == b"\(answer)"
                channel.close()
                """
        )
    }

    @Test(.enabled(if: has("websockets"), "python3-websockets is not installed"))
    func `of WebSockets obeys its pins, and leaks without`() async throws {
        let pinned = try await playSteps(Self.steps, Self.webSocket(true))
        let careless = try await playSteps(Self.steps, Self.webSocket(false))

        #expect(pinned.steps.map(\.judgement.verdict) == [.pass, .pass], "\(pinned.outputs)")
        #expect(careless.steps.map(\.judgement.verdict) == [.pass, .fail], "\(careless.outputs)")
        #expect(careless.steps.last?.consequence == .intercepted)
    }

    @Test(.enabled(if: has("grpc"), "python3-grpcio is not installed"))
    func `of gRPC has a control, obeys its pins, and leaks without`() async throws {
        let pinned = try await playSteps(Self.steps, Self.call(true))
        let careless = try await playSteps(Self.steps, Self.call(false))

        #expect(pinned.steps.map(\.judgement.verdict) == [.pass, .pass], "\(pinned.outputs)")
        #expect(careless.steps.map(\.judgement.verdict) == [.pass, .fail], "\(careless.outputs)")
        #expect(careless.steps.last?.consequence == .intercepted)
    }

    /// A server that says its port, and ends with its standard input.
    private static func serving<Result>(_ script: String, _ body: (Int) async throws -> Result) async throws -> Result {
        let (input, output) = (Pipe(), Pipe())
        let program = try ChildProgram(
            URL(filePath: python),
            ["-c", script],
            environment: [:],
            input: .pipe(input),
            output: .pipe(output)
        )
        defer {
            try? input.fileHandleForWriting.close()
            program.waitUntilExit()
        }
        var line = ""
        while !line.hasSuffix("\n"), let byte = try output.fileHandleForReading.read(upToCount: 1), !byte.isEmpty {
            line += String(decoding: byte, as: UTF8.self)
        }
        return try await body(try #require(Int(line.dropLast())))
    }

    private func play(relayingTo port: Int, _ client: CommandClient) async throws -> TrialResult {
        let relay = "version: 1\nupstream: { url: 'http://127.0.0.1:\(port)' }\norigin: relay"
        let text = Catalogue.storyText(Self.steps).changing("version: 1", to: relay)
        let catalogue = try Catalogue(text, file: "story.yaml")
        return try #require(await catalogue.runner(.quick) { _ in client }.run(catalogue.file.trials).first)
    }

    @Test(.enabled(if: has("websockets"), "python3-websockets is not installed"))
    func `of WebSockets meets its own server through a relay`() async throws {
        let server = """
            import asyncio, sys, websockets
            async def answer(talk):
                async for message in talk:
                    await talk.send("genuine " + message)
            async def serve():
                async with websockets.serve(answer, "127.0.0.1", 0) as server:
                    print(server.sockets[0].getsockname()[1], flush=True)
                    await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)
            asyncio.run(serve())
            """
        try await Self.serving(server) { port in
            let pinned = try await play(relayingTo: port, Self.webSocket(true, hears: "genuine hello"))
            let careless = try await play(relayingTo: port, Self.webSocket(false, hears: "genuine hello"))

            #expect(pinned.steps.map(\.judgement.verdict) == [.pass, .pass], "\(pinned.outputs)")
            #expect(careless.steps.map(\.judgement.verdict) == [.pass, .fail], "\(careless.outputs)")
        }
    }

    @Test(.enabled(if: has("grpc"), "python3-grpcio is not installed"))
    func `of gRPC meets its own server through a relay`() async throws {
        let server = """
            import grpc, sys
            from concurrent import futures
            class Handler(grpc.GenericRpcHandler):
                def service(self, call):
                    return grpc.unary_unary_rpc_method_handler(lambda message, context: b"genuine " + message)
            server = grpc.server(futures.ThreadPoolExecutor(2), handlers=[Handler()])
            print(server.add_insecure_port("127.0.0.1:0"), flush=True)
            server.start()
            sys.stdin.read()
            server.stop(None)
            """
        try await Self.serving(server) { port in
            let pinned = try await play(relayingTo: port, Self.call(true, hears: "genuine hello"))
            let careless = try await play(relayingTo: port, Self.call(false, hears: "genuine hello"))

            #expect(pinned.steps.map(\.judgement.verdict) == [.pass, .pass], "\(pinned.outputs)")
            #expect(careless.steps.map(\.judgement.verdict) == [.pass, .fail], "\(careless.outputs)")
        }
    }
}

extension TrialResult {
    fileprivate var outputs: [String] { steps.flatMap(\.attempts).map { "\($0.judgement) \($0.report.output)" } }
}
