import Pinning
import Testing

@Suite struct `The nearest name` {
    static let chains = ["today", "renewed", "rotated", "attacker", "new-ca"]

    @Test(arguments: [
        ("atacker", "attacker"), ("attackerr", "attacker"), ("attakcer", "attacker"), ("attocker", "attacker"),
        ("Today", "today"), ("toady", "today"), ("rotate", "rotated"), ("newca", "new-ca"), ("rnewd", nil as String?),
        ("mallory", nil), ("", nil), ("x", nil),
    ])
    func `is one slip of the pen away, or two or three in a long one`(name: String, expected: String?) {
        #expect(nearest(to: name, among: Self.chains) == expected)
    }

    @Test func `is the first of equally near ones`() {
        #expect(nearest(to: "leaf-3", among: ["leaf-1", "leaf-2"]) == "leaf-1")
    }

    @Test func `does not exist among none`() {
        #expect(nearest(to: "leaf", among: []) == nil)
    }
}
