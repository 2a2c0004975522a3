extension TextPins {
    /// What is a pin in a line.
    struct Words {
        var isCode: Bool
        /// Whether the whole file is of certificates, so that 64 hexadecimal digits are no download's.
        var isOfCertificates: Bool

        func pins(in line: Substring, _ speaks: Bool) -> [String] {
            // `--servercert pin-sha256:…` of openconnect.
            let prefixed = PinText.pins(within: String(line).replacing("pin-sha256:", with: "sha256/"))
            let known = Set(prefixed.map { PinText.bare($0) })
            var own = fingerprints(in: line, speaks)
            for word in line.split(whereSeparator: { $0.isWhitespace || "\"'<>,;()[]{}|".contains($0) }) {
                var (value, key) = (word, key(before: word, in: line))
                // `NAME=value`
                if let mark = word.firstIndex(of: "="), word.index(after: mark) < word.endIndex,
                    word[word.index(after: mark)] != "="
                {
                    (value, key) = (word[word.index(after: mark)...], word[..<mark])
                }
                let pin = String(value)
                guard speaks || TextPins.speaksOfPins(String(key)), !known.contains(PinText.bare(pin)) else { continue }
                // A digest of hexadecimal digits may be any file's: `PINNED_SHA256` of a download.
                func isOfCertificate() -> Bool {
                    !isCode || isOfCertificates || TextPins.speaksOfCertificates(String(key))
                        || TextPins.speaksOfCertificates(String(line))
                }
                // The line is asked last, for a line may have thousands of words.
                if PinText.isPin(pin) || PinText.isFingerprint(pin)
                    || isOfCertificates && PinText.isBareHex(pin, digits: 40)
                    || (PinText.isBareHex(pin) || PinText.isPrefixed(pin)) && isOfCertificate()
                {
                    own.append(pin)
                }
            }
            return prefixed + own.uniqued
        }

        /// Pairs of digits in quotes, with blanks or other marks between them. As many as a digest has are nothing else in a
        /// file of certificates, whatever stands before them: `http.begin(url, "AB CD …")`.
        private func fingerprints(in line: Substring, _ speaks: Bool) -> [String] {
            guard isOfCertificates || speaks && !isCode else { return [] }
            return line.split(omittingEmptySubsequences: false) { "\"'`".contains($0) }.map(String.init)
                .filter(PinText.isFingerprint)
        }

        /// The name before a word: that of a key, an argument or a function that is called.
        private func key(before word: Substring, in line: Substring) -> Substring {
            var end = word.startIndex
            while end > line.startIndex, " \t\"'=:>({[".contains(line[line.index(before: end)]) {
                end = line.index(before: end)
            }
            var start = end
            while start > line.startIndex {
                let last = line[line.index(before: start)]
                guard last.isLetter || last.isNumber || "_-".contains(last) else { break }
                start = line.index(before: start)
            }
            return line[start..<end]
        }
    }
}
