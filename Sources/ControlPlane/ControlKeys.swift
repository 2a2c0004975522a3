import Foundation
import Synchronization

/// Who may use the control plane: who has the token, or a cookie that a code was given for, once.
final class ControlKeys: Sendable {
    let token: String

    private struct State {
        var codes: [String: Date] = [:]
        var cookies: [String] = []
    }

    private let state = Mutex(State())

    init(token: String) { self.token = token }

    /// 256 bits from the system, as letters and digits.
    static func random() -> String {
        var generator = SystemRandomNumberGenerator()
        return (0..<4).map { _ in
            let digits = String(UInt64.random(in: .min ... .max, using: &generator), radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }.joined()
    }

    /// A code that works once, for ten minutes.
    func code() -> String {
        let code = String(Self.random().prefix(32))
        state.withLock { state in
            state.codes = state.codes.filter { $0.value > Date() }
            if state.codes.count >= 64 { state.codes = [:] }
            state.codes[code] = Date(timeIntervalSinceNow: 600)
        }
        return code
    }

    /// - Returns: a cookie for a code that is good, and is not any more.
    func cookie(for code: String) -> String? {
        state.withLock { state in
            guard let end = state.codes.removeValue(forKey: code), end > Date() else { return nil }
            let cookie = Self.random()
            state.cookies = state.cookies.suffix(31) + [cookie]
            return cookie
        }
    }

    func isToken(_ text: String) -> Bool { Self.isSame(text, token) }

    func isCookie(_ text: String) -> Bool { state.withLock(\.cookies).contains { Self.isSame(text, $0) } }

    /// Takes as long for every text of one length.
    private static func isSame(_ one: String, _ other: String) -> Bool {
        let (one, other) = (Array(one.utf8), Array(other.utf8))
        return one.count == other.count && zip(one, other).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
