internal import CEmbedded
import Foundation

/// All that lessons say in one language.
package struct LessonTexts: Decodable, Sendable {
    package enum Language: String, CaseIterable, Sendable { case en, ko, ja, zh }

    struct Story: Decodable, Sendable {
        var title: String
        var story: String
        /// What PinDrill's verdict means.
        var verdict: String
        /// What the user gets.
        var user: String
        var learnt: String
    }

    var heading: String
    var labels: [String: String]
    var verdicts: [String: String]
    var consequences: [String: String]
    var lessons: [String: Story]
    /// Said at the end.
    package var closing: String
    /// Where a key is waited for.
    package var anyKey: String

    package static func shipped(_ language: Language) throws -> LessonTexts {
        let file = CEmbeddedDemo()
        let texts = try JSONDecoder().decode(
            [String: LessonTexts].self,
            from: Data(bytes: file.bytes, count: file.count)
        )
        // Each is there: a test reads them all.
        return texts[language.rawValue]!
    }
}
