import Foundation
import TestSupport
import Testing

/// What code asks, and no rule accounts for.
extension ProjectAuditTests {
    @Test(arguments: [("Make();", false), ("if (IsOn(level)) { Make(); }", true)])
    func `what is asked before pins that have a verdict is told`(start: String, isTold: Bool) async throws {
        let source = """
            class Net {
                void Make() {
                    var handler = new HttpClientHandler();
                    handler.ServerCertificateCustomValidationCallback = (message, certificate, chain, errors) =>
                        certificate.GetCertHashString() == "146DE983C5730650D8EEB9952F34FC6416A08342";
                    Client = new HttpClient(handler);
                }
                void Start() { \(start) }
            }
            """

        for format in ["text", "markdown", "html", "json", "sarif"] {
            let output = try await audit(["Net.cs": source], ".", "--format", format).output
            #expect(output.contains("IsOn(level)") == isTold, "\(format): \(output)")
            #expect(!output.contains("No verdict"), "\(format): \(output)")
        }
        let json = try await audit(["Net.cs": source], ".", "--format", "json")
        let schema = try Schema(at: Places.package.appending(path: "docs/output.schema.json"))
        let document = try JSONDecoder().decode(JSONValue.self, from: Data(json.output.utf8))
        #expect(schema.complaints(about: document, as: "audit-project") == [])
    }
}
