/// What an app needs to know to make one attempt. Whether it should be refused is not said.
public struct Attempt: Sendable {
    /// How the app took it, and a remark for the report.
    public struct Word: Sendable {
        let word: String
        let note: String?
        let code: String?

        private init(_ word: String, _ note: String?, code: String? = nil) {
            self.word = word
            self.note = note
            self.code = code
        }

        /// The app showed what it shows when all is well.
        public static let worked = Word("worked", nil)
        /// The same, where the answers of a scenario carry `{code}`: it counts with the code that the app shows alone.
        public static func worked(code: String) -> Word { Word("worked", nil, code: code) }
        /// It said that the server was not acceptable.
        public static func refused(_ note: String? = nil) -> Word { Word("refused", note) }
        /// The same, and it named its pin.
        public static func refusedPin(_ note: String? = nil) -> Word { Word("refused-pin", note) }
        /// Something else went wrong.
        public static func failed(_ note: String? = nil) -> Word { Word("failed", note) }
        /// Once more; what was seen stays.
        public static let again = Word("again", nil)
        /// On without a word: the step is inconclusive.
        public static let skip = Word("skip", nil)
    }

    public let number: Int
    /// What to do.
    public let ask: String
    /// Whose server the app believes to reach.
    public let host: String
    /// The proxy to go through; who is led to its address and port needs no proxy.
    public let proxy: String
    public let address: String
    public let port: Int
    /// The roots that the device trusts, in PEM.
    public let trust: String

    public var url: String { "https://\(host)/" }
}
