import Foundation
import TLSCore
import TestSupport
import Testing
import Witness

@testable import Scenarios

@Suite struct `The JSON report` {
    @Test func `is a stable text`() throws {
        let breach = Results.strayed.declaring(intercepts: Claim(.all))

        let text = try text(Results.report(Results.trial(Results.served, breach)), exitStatus: 0)

        #expect(
            text
                == """
                {
                  "file" : "scenarios.yaml",
                  "started" : "2026-09-21T14:13:20Z",
                  "version" : 1,
                  "trials" : [
                    {
                      "client" : "curl",
                      "duration" : 55,
                      "model" : false,
                      "policy" : "pinned",
                      "scenario" : "attack",
                      "steps" : [
                        {
                          "at" : "0d",
                          "attempts" : [
                            {
                              "account" : "exit 0",
                              "connections" : [
                                {
                                  "bytes_received" : 40,
                                  "certificate_sha256" : "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                                  "cipher_suite" : "TLS_AES_256_GCM_SHA384",
                                  "counts" : true,
                                  "reaction" : "sent its request",
                                  "request_line" : "GET / HTTP/1.1",
                                  "shown" : "today",
                                  "target" : "api.acme.example",
                                  "timeline" : [
                                    "client: asks for api.acme.example",
                                    "server: shows today",
                                    "both: finish the handshake (TLS 1.3)",
                                    "client: this is a request",
                                    "client: sends 40 bytes",
                                    "client: closes"
                                  ],
                                  "version" : "TLS 1.3"
                                }
                              ],
                              "consequence" : "served",
                              "duration" : 0,
                              "output" : "hello\\n",
                              "verdict" : "pass",
                              "wire" : "sent its request",
                              "word" : "succeeded"
                            }
                          ],
                          "consequence" : "served",
                          "control" : false,
                          "declared" : false,
                          "duration" : 21,
                          "grounds" : "did what its policy demands",
                          "host" : "api.acme.example",
                          "presents" : "today",
                          "shown" : [
                            {
                              "chain" : "today",
                              "demand" : "accept",
                              "holder" : "owner",
                              "key" : "leaf",
                              "reason" : "it is trusted, and nothing is pinned"
                            }
                          ],
                          "store" : "phone",
                          "verdict" : "pass"
                        },
                        {
                          "at" : "0d",
                          "attempts" : [
                            {
                              "account" : "exit 7",
                              "connections" : [
                                {
                                  "alert" : 48,
                                  "bytes_received" : 0,
                                  "certificate_sha256" : "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                                  "counts" : true,
                                  "reaction" : "rejected with unknown_ca (48)",
                                  "shown" : "forged",
                                  "target" : "api.acme.example",
                                  "timeline" : [
                                    "client: asks for api.acme.example",
                                    "server: shows forged",
                                    "client: alert unknown_ca (48)",
                                    "client: closes"
                                  ]
                                },
                                {
                                  "bytes_received" : 40,
                                  "certificate_sha256" : "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                                  "cipher_suite" : "TLS_AES_256_GCM_SHA384",
                                  "counts" : false,
                                  "reaction" : "sent its request",
                                  "request_line" : "GET / HTTP/1.1",
                                  "shown" : "today",
                                  "target" : "tracker.example\\u001b[2J",
                                  "timeline" : [
                                    "client: asks for tracker.example\\u001b[2J",
                                    "server: shows today",
                                    "both: finish the handshake (TLS 1.3)",
                                    "client: this is a request",
                                    "client: sends 40 bytes",
                                    "client: closes"
                                  ],
                                  "version" : "TLS 1.3"
                                }
                              ],
                              "consequence" : "protected",
                              "duration" : 0,
                              "output" : "one\\ntwo \\u001b[31mred\\n",
                              "verdict" : "pass",
                              "wire" : "rejected with unknown_ca (48)",
                              "word" : "failed"
                            }
                          ],
                          "attribution" : "unproven",
                          "consequence" : "protected",
                          "control" : false,
                          "declared" : false,
                          "duration" : 21,
                          "grounds" : "did what its policy demands",
                          "host" : "api.acme.example",
                          "note" : "the tracker is not pinned",
                          "presents" : "forged",
                          "shown" : [
                            {
                              "chain" : "forged",
                              "demand" : "reject",
                              "holder" : "attacker",
                              "key" : "evil",
                              "reason" : "its issuer is not trusted"
                            }
                          ],
                          "store" : "phone",
                          "verdict" : "pass"
                        }
                      ],
                      "verdict" : "pass"
                    }
                  ],
                  "duration" : 1234,
                  "exit_status" : 0,
                  "interrupted" : false,
                  "summary" : {
                    "consequences" : {
                      "intercepted" : 0,
                      "locked-out" : 0,
                      "protected" : 1,
                      "served" : 1,
                      "unknown" : 0
                    },
                    "planned" : 1,
                    "scenarios" : {
                      "not_played" : 0,
                      "played" : 0
                    },
                    "trials" : 1,
                    "undeclared_breaches" : 0,
                    "undeclared_outages" : 0,
                    "verdicts" : {
                      "fail" : 0,
                      "inconclusive" : 0,
                      "not-applicable" : 0,
                      "pass" : 2,
                      "skipped" : 0
                    }
                  }
                }

                """
        )
    }

    @Test func `can be read back`() throws {
        let outage = Results.lockedOut.declaring(locksOut: Claim(.all))
        let report = Results.report(
            Results.trial(Results.served, outage, Results.fooled, Results.lockedOut),
            Results.trial(Results.skipped, client: "reference"),
            planned: 3,
            scenarios: Coverage(played: 2, known: 7)
        )

        let read = try JSONDecoder().decode(Read.self, from: Data(report.document(.json, exitStatus: 130)))

        #expect(read.version == 1)
        #expect(read.exit_status == 130)
        #expect(read.interrupted)
        #expect(read.summary.planned == 3)
        #expect(read.summary.scenarios == ["played": 2, "not_played": 5])
        #expect(read.summary.verdicts == ["pass": 3, "fail": 1, "inconclusive": 0, "skipped": 1, "not-applicable": 0])
        #expect(read.summary.undeclared_breaches == 1)
        #expect(read.summary.undeclared_outages == 1)
        #expect(read.trials.map(\.verdict) == ["fail", "skipped"])
        #expect(read.trials.map(\.model) == [false, true])
        #expect(read.trials[0].steps.map(\.declared) == [false, true, false, false])
        #expect(read.trials[0].steps.map(\.attribution) == [nil, "other", nil, "other"])
    }

    @Test(arguments: Growth.table)
    func `keeps to its schema, from the first moment to the last`(growth: Growth) throws {
        let schema = try Schema(at: Places.package.appending(path: "docs/report.schema.json"))

        for text in try growth.texts(.json) {
            let value = try JSONDecoder().decode(JSONValue.self, from: Data(text.utf8))
            #expect(schema.complaints(about: value) == [])
        }
    }

    @Test(arguments: [
        ("\"verdict\" : \"pass\"", "\"verdict\" : \"fine\"", "is none of the choices"),
        ("\"host\"", "\"hosts\"", "host is missing"),
        ("\"planned\" : 1", "\"planned\" : 1, \"more\" : 1", "more is unknown"),
        ("\"duration\" : 55", "\"duration\" : 0.055", "number is not integer"),
        ("\"version\" : 1", "\"version\" : 2", "is not number(1.0)"),
    ])
    func `has a schema that minds`(old: String, new: String, complaint: String) throws {
        let schema = try Schema(at: Places.package.appending(path: "docs/report.schema.json"))
        let text = try text(Results.report(Results.trial(Results.served)), exitStatus: 0)

        let damaged = try JSONDecoder().decode(JSONValue.self, from: Data(text.changing(old, to: new).utf8))

        #expect(schema.complaints(about: damaged).contains { $0.hasSuffix(complaint) })
    }

    @Test func `is whole after every trial, and says that it is cut off`() throws {
        let growth = Growth(
            "three",
            [
                Results.trial(Results.served), Results.trial(Results.fooled), Results.trial(Results.skipped),
            ]
        )

        let texts = try growth.texts(.json)
        let read = try texts.map { try JSONDecoder().decode(Read.self, from: Data($0.utf8)) }

        #expect(read.map(\.trials.count) == [0, 1, 2, 3, 3, 3])
        #expect(read.map(\.summary.verdicts["pass"]) == [0, 1, 1, 1, 1, 1])
        #expect(read.map(\.summary.undeclared_breaches) == [0, 0, 1, 1, 1, 1])
        #expect(read.map(\.interrupted) == [true, true, true, true, false, false])
        #expect(read.map(\.exit_status) == [nil, nil, nil, nil, 1, 1])
        #expect(texts[4] == texts[5])
    }

    @Test func `holds no private key`() throws {
        let pki = try World.pki()
        let step = Step.presenting("today")
        let planned = PlannedStep(
            step: step,
            shownChains: try Oracle(pki).decide(Policies.leaf, step: step, instant: Sample.now)
        )
        let result = attempt([Connection.accepting()], ClientReport(.succeeded), planned.shownChains)
        let report = Results.report(Results.trial(StepResult(planned, attempts: [result], duration: .zero)))

        let text = try text(report, exitStatus: 0)

        #expect(text.contains("a pinned key is in it"))
        #expect(!text.contains("PRIVATE"))
        let pem = try pki.key(named: "leaf").pem()
        for line in pem.split(separator: "\n") { #expect(!text.contains(line)) }
    }

    private func text(_ report: Report, exitStatus: Int32) throws -> String {
        String(decoding: try report.document(.json, exitStatus: exitStatus), as: UTF8.self)
    }
}

/// What a program reads of a report, by the names it bears in the file.
private struct Read: Decodable {
    var version: Int
    var exit_status: Int?
    var interrupted: Bool
    var summary: Summary
    var trials: [Trial]

    struct Summary: Decodable {
        var planned: Int
        var scenarios: [String: Int]
        var verdicts: [String: Int]
        var undeclared_breaches: Int
        var undeclared_outages: Int
    }

    struct Trial: Decodable {
        var verdict: String
        var model: Bool
        var steps: [Step]
    }

    struct Step: Decodable {
        var declared: Bool
        var attribution: String?
    }
}
