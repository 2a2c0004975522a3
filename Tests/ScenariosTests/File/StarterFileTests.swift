import Pinning
import TestSupport
import Testing

@testable import Scenarios

/// A scenario file that is made of a command line.
@Suite struct `A starter file` {
    @Test(arguments: [
        (["curl", "{url}"], ["curl", "U"]),
        (["curl", "[--pin", "{pins}]", "{url}"], ["curl", "--pin", "P", "U"]),
        (["curl", "[", "--pin", "{pins}", "]", "{url}"], ["curl", "--pin", "P", "U"]),
        (["a b", "it's", "\"", "$x", ""], ["a b", "it's", "\"", "$x", ""]),
        (["sh", "-c", "x '{url}' | y"], ["sh", "-c", "x 'U' | y"]),
        (["app", "[1,", "2]", "[::1]", "]", "["], ["app", "[1,", "2]", "[::1]", "]", "["]),
        (["app", #"{"a": "b"}"#, #"\"#], ["app", #"{"a": "b"}"#, #"\"#]),
    ])
    func `has the words of the command line`(words: [String], filled: [String]) throws {
        let line = CommandTemplate.line(of: words)

        let template = try CommandTemplate(parsing: line)

        #expect(try template.fill(["url": "U", "pins": "P"]) == filled)
    }

    @Test func `leaves a group out where its pins are`() throws {
        let template = try CommandTemplate(parsing: CommandTemplate.line(of: ["curl", "[--pin", "{pins}]", "{url}"]))

        #expect(try template.fill(["url": "U", "pins": ""]) == ["curl", "U"])
    }

    @Test(arguments: [
        ("curl {url}", 0, 0, true),
        ("curl --pin {pins} {url}", 3, 0, true),
        ("curl --pin {pins} {url}", 0, 0, false),
        ("curl [--pin {pins}] {url}", 0, 0, true),
        ("curl --pin {pin} {url}", 1, 0, true),
        ("curl --pin {pin} {url}", 3, 0, false),
        ("curl [--pin {pin}] {url}", 3, 0, true),
        ("curl [{fingerprint}] {url}", 0, 1, true),
    ])
    func `knows how many pins its command takes`(line: String, keys: Int, certificates: Int, takes: Bool) throws {
        #expect(try CommandTemplate(parsing: line).takes(keys: keys, certificates: certificates) == takes)
    }

    @Test func `is read as what it was made of`() throws {
        var starter = StarterFile(file: "f.yaml", host: "localhost", name: "true", run: "./a 'b: #c' {url} [{pins}]")
        starter.policies = ["no-pins", "leaf-and-backup"]
        starter.env = [("A_B", "yes: {proxy}"), ("C", "")]
        starter.timeout = .seconds(30)
        starter.succeeded = OutcomeRule(exit: [0, 3])
        starter.refused = OutcomeRule(exit: [60], text: ["it's \"#no\"", #"\d+"#])
        starter.refusedPin = OutcomeRule(text: ["pin: mismatch"])
        starter.answers = [
            .init(route: "GET /v1/*", key: "body", value: #"{"a": [1]}"#, contentType: "application/json"),
            .init(route: "* /*", key: "body", value: "ok", contentType: "text/plain; charset=utf-8"),
        ]
        starter.proposals = ["refused: { exit: 1 }"]

        let file = try ScenarioFile(parsing: starter.text, file: "f.yaml")

        #expect(file.host == "localhost")
        #expect(file.play == ScenarioTag("quick"))
        let client = try #require(file.clients.first)
        #expect((client.name, file.clients.count) == ("true", 1))
        #expect(client.policies == ["no-pins", "leaf-and-backup"])
        guard case .command(let command) = client.kind else {
            Issue.record("it is no command")
            return
        }
        #expect(command.run == starter.run)
        #expect(command.env == ["A_B": "yes: {proxy}", "C": ""])
        #expect(command.timeout == .seconds(30))
        #expect(command.succeeded == starter.succeeded)
        #expect(command.refused == starter.refused)
        #expect(command.refusedPin == starter.refusedPin)
        let routes = file.scenarios[0].steps[0].origin?.routes ?? []
        #expect(routes.map(\.path) == ["/v1/*", "/*"])
        #expect(routes.map(\.body) == [Array(#"{"a": [1]}"#.utf8), Array("ok".utf8)])
    }
}
