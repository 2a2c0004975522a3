import Foundation
import Pinning
import TLSCore
import TestSupport
import Testing

@testable import Forecast

/// What is wrong with a fleet file or a plan is said with its place, and the next step.
struct FleetAndPlanTests {
    private static let fleet = """
        version: 1
        host: api.acme.example
        usage: usage.csv
        versions:
          - { name: "1.0", policy: a.txt, device: [target-sdk=28], released: 2025-01-31 }
          - { name: "2.*", policy: none }
        """

    private static func fleet(_ text: String) throws -> Fleet {
        try Fleet.parse(text, file: "fleet.yaml") { source in
            guard source.path == "a.txt" else { throw ForecastWorld.Missing() }
            return try PolicyFile.load(Data("sha256//\(Pin(hashing: [1]).base64)".utf8), file: "a.txt", dialect: .curl)
        }
    }

    @Test func `a fleet file is read`() throws {
        let fleet = try Self.fleet(Self.fleet)

        #expect(fleet.host == "api.acme.example")
        #expect(fleet.usage == "usage.csv")
        #expect(fleet.versions.map(\.name) == ["1.0", "2.*"])
        #expect(fleet.versions[0].rules.pins.count == 1)
        #expect(fleet.versions[1].rules.pins.isEmpty)
        #expect(fleet.versions[0].released?.description == "2025-01-31")
    }

    @Test(arguments: [
        (
            "host: api.acme.example", "host: https://api.acme.example",
            "fleet.yaml:2:7 'https://api.acme.example' is not the name of a host, as in api.example.com"
        ),
        ("usage:", "usages:", "fleet.yaml:3:1 unknown key 'usages'; did you mean 'usage'?"),
        ("usage: usage.csv\n", "", "fleet.yaml:4:3 without 'usage', every version needs 'users' or 'share'"),
        (
            "policy: none", "policy: none, users: 5",
            "fleet.yaml:3:8 'usage' counts the users; take 'users' and 'share' out of the versions"
        ),
        (
            "2025-01-31", "2025-02-31",
            "fleet.yaml:5:70 '2025-02-31' is no day from 2000 to 2099; write it as in 2026-11-30"
        ),
        ("\"2.*\"", "\"1.0\"", "fleet.yaml:6:5 the version '1.0' is given twice"),
        ("policy: a.txt", "policy: b.txt", "fleet.yaml:5:28 version '1.0': Missing()"),
        ("name: \"1.0\", ", "", "fleet.yaml:5:5 the version has no 'name'"),
    ])
    func `what is wrong with a fleet file has its place`(old: String, new: String, message: String) {
        let error = #expect(throws: FileError.self) { try Self.fleet(Self.fleet.replacing(old, with: new)) }

        #expect(error?.description.contains(message) == true, "\(error?.description ?? "")")
    }

    @Test func `shares are of a hundred at most`() throws {
        let text = """
            host: a.example
            versions:
              - { name: a, policy: none, share: 60.5% }
              - { name: b, policy: none, share: 30% }
            """

        #expect(try Self.fleet(text).versions.map(\.weight) == [0.605, 0.3])
        let error = #expect(throws: FileError.self) { try Self.fleet(text.replacing("30%", with: "40%")) }
        #expect(error?.description == "fleet.yaml:3:3 the shares are more than 100% together")
        let mixed = #expect(throws: FileError.self) {
            try Self.fleet(text.replacing("share: 30%", with: "users: 30"))
        }
        #expect(
            mixed?.description == "fleet.yaml:3:3 some versions have 'users' and some 'share'; use one of the two"
        )
    }

    @Test(arguments: [
        (-1, "the chain is valid from \(Day(Sample.server.leaf.validity.notBefore)) on; it cannot be shown on "),
        (1, "the chain ends on \(Day(Sample.server.leaf.validity.notAfter)), and cannot be shown on "), (0, nil),
    ])
    func `a chain is shown while it is valid`(side: Int, message: String?) throws {
        let (start, end) = Sample.server.leaf.validity
        let day = side < 0 ? Day(start) + -2 : side > 0 ? Day(end) + 2 : Day(start) + 2
        let text = "events:\n  - { on: \(day), chain: today.pem }"
        let read = {
            try ForecastWorld.plan(text, materials: ["today.pem": Sample.server.chain.map { KeyMaterial($0) }])
        }
        guard let message else {
            #expect(try read().events.count == 1)
            return
        }

        let error = #expect(throws: FileError.self) { _ = try read() }

        #expect(error?.description.contains(":2:") == true)
        #expect(error?.description.contains("\(message)\(day)") == true, "\(error?.description ?? "")")
    }

    @Test(arguments: [
        ("key: today", "key: tody", "plan.yaml:11:42 no key 'tody'; did you mean 'today'?"),
        ("issuer: root", "issuer: rot", "no authority 'rot'; did you mean 'root'?"),
        ("root: {}", "root: { issuer: issuing }", "the authority 'root' is above itself"),
        ("unplanned: {}", "issuing: {}", "'issuing' is a key already; give the authority another name"),
        ("2026-12-01", "2026-09-01", "'after' is before 'before', which stands above it; sort the events"),
        ("2026-12-01", "2036-12-01", "the events lie 3714 days apart, and at most 3000 are taken"),
        ("name: after", "name: before", "the event 'before' is given twice; give one another name"),
        ("key: next, ", "", "the event needs 'chain', or 'key' and 'issuer', or 'rule'"),
        (
            "{ on: 2026-10-01, name: before, key: today, issuer: issuing }", "{ rule: renew every day }",
            "'renew every day' is no rule; write 'renew every 47d, same key' or 'rotate key every 90d'"
        ),
        (
            "{ on: 2026-10-01, name: before, key: today, issuer: issuing }", "{ rule: rotate key every 90d }",
            "a rule goes on from the event before it, and there is none"
        ),
        ("pin: sha256/", "pin: sha256/x", "is neither Base64 nor hexadecimal"),
        (
            "root: {}",
            "root: { pin: sha256/\(Pin(hashing: [1]).base64) }\n  cross: { key: root, issuer: root, pin: sha256/\(Pin(hashing: [2]).base64) }",
            "'cross' has another pin than 'root', and so another key; take 'key' out"
        ),
    ])
    func `what is wrong with a plan has its place`(old: String, new: String, message: String) {
        let text = ForecastWorld.plan.replacing(old, with: new, maxReplacements: 1)

        let error = #expect(throws: FileError.self) { try ForecastWorld.plan(text) }

        #expect(error?.description.contains(message) == true, "\(error?.description ?? "")")
        #expect(error?.description.hasPrefix("plan.yaml:") == true)
    }

    @Test func `the schemas know every key that the reader knows, and no other`() throws {
        func schema(_ name: String) throws -> JSONValue {
            let url = Places.package.appending(path: "docs/\(name).schema.json")
            return try JSONDecoder().decode(JSONValue.self, from: Data(contentsOf: url))
        }
        func keys(_ schema: JSONValue?) -> [String] { (schema?["properties"]?.object ?? [:]).keys.sorted() }
        // An unknown key is answered with those that are known.
        func known(_ error: FileError?) -> [String] {
            let text =
                error?.description.firstMatch(of: #/unknown key 'zzzzzzzzzz'; known here: ([^\n]+)/#)?.output.1 ?? ""
            return text.split(separator: ", ").map(String.init).sorted()
        }
        func fleet(_ old: String, _ new: String) -> FileError? {
            #expect(throws: FileError.self) { try Self.fleet(Self.fleet.replacing(old, with: new)) }
        }
        func plan(_ text: String) -> FileError? {
            #expect(throws: FileError.self) { try ForecastWorld.plan(text) }
        }
        let (fleetSchema, planSchema) = (try schema("fleet"), try schema("plan"))
        let events = "events: [{ on: 2026-12-01, chain: a.pem }, { rule: x, zzzzzzzzzz: 1 }]"
        let rule = known(plan(events))

        #expect(keys(fleetSchema) == known(fleet("version: 1", "zzzzzzzzzz: 1")))
        #expect(keys(fleetSchema["properties"]?["versions"]?["items"]) == known(fleet("policy: none", "zzzzzzzzzz: 1")))
        #expect(keys(planSchema) == known(plan("zzzzzzzzzz: 1\n" + ForecastWorld.plan)))
        #expect(
            keys(planSchema["properties"]?["keys"]?["additionalProperties"])
                == known(plan(ForecastWorld.plan.replacing("unplanned: {}", with: "unplanned: { zzzzzzzzzz: 1 }")))
        )
        #expect(
            keys(planSchema["properties"]?["authorities"]?["additionalProperties"])
                == known(plan(ForecastWorld.plan.replacing("root: {}", with: "root: { zzzzzzzzzz: 1 }")))
        )
        let event = known(plan(ForecastWorld.plan.replacing("name: after", with: "zzzzzzzzzz: after")))
        #expect(keys(planSchema["properties"]?["events"]?["items"]) == Set(event + rule).sorted())
    }

    @Test func `a rule that would never end does`() throws {
        let text = ForecastWorld.plan + "\n  - { rule: rotate key every 1d, until: 2034-01-01 }"

        let error = #expect(throws: FileError.self) { try ForecastWorld.plan(text) }

        #expect(error?.description.contains("the plan has more than 1000 events") == true)
    }

    @Test func `damaged fleet files and plans are refused or read, and nothing else`() {
        var random = SplitMix64(seed: 72)
        for sample in [
            Array(Self.fleet.utf8), Array((ForecastWorld.plan + "\n  - { rule: rotate key every 90d }").utf8),
        ] {
            func read(_ bytes: [UInt8]) {
                let text = String(decoding: bytes, as: UTF8.self)
                if let complaint = DamagedFile.complaint(about: "fleet.yaml", text, { _ = try Self.fleet(text) }) {
                    Issue.record("\(complaint): \(text)")
                }
                if let complaint = DamagedFile.complaint(about: "plan.yaml", text, { _ = try ForecastWorld.plan(text) })
                {
                    Issue.record("\(complaint): \(text)")
                }
            }
            for count in 0...sample.count { read(Array(sample.prefix(count))) }
            for _ in 0..<DamagedInputs.count(of: 20_000) {
                var bytes = sample
                let place = Int.random(in: 0..<bytes.count, using: &random)
                switch Int.random(in: 0...2, using: &random) {
                case 0: bytes[place] = UInt8(truncatingIfNeeded: random.next())
                case 1: bytes.removeSubrange(place..<min(bytes.count, place + 7))
                default: bytes.insert(contentsOf: bytes[place..<min(bytes.count, place + 9)], at: place)
                }
                read(bytes)
            }
        }
    }
}

/// What is refused must be refused in words, at lines that are there.
private enum DamagedFile {
    /// - Returns: what is wrong with the refusal; `nil` where nothing is, or it was read.
    static func complaint(about file: String, _ text: String, _ read: () throws -> Void) -> String? {
        do {
            try read()
            return nil
        } catch let error as FileError {
            let last = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).count + 1
            for problem in error.description.split(separator: "\n", omittingEmptySubsequences: false) {
                let parts = problem.split(separator: ":", maxSplits: 2)
                guard parts.count == 3, parts[0] == file, let line = Int(parts[1]), 1...last ~= line else {
                    return "names no place: \(error)"
                }
            }
            return nil
        } catch {
            return "is no refusal in words: \(error)"
        }
    }
}
