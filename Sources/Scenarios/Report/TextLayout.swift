extension String {
    /// Words in lines of at most `width` columns, each with the indent. A longer word stands on a line of its own.
    package func wrapped(to width: Int, indent: String) -> [String] {
        var lines: [String] = []
        for word in split(whereSeparator: \.isWhitespace) {
            for (index, piece) in word.pieces.enumerated() {
                let gap = index == 0 ? " " : ""
                if let last = lines.last, last.columns + gap.count + piece.columns <= width {
                    lines[lines.count - 1] = "\(last)\(gap)\(piece)"
                } else {
                    lines.append("\(indent)\(piece)")
                }
            }
        }
        return lines
    }

    package func padded(to width: Int) -> String { self + .spaces(width - columns) }

    package static func spaces(_ count: Int) -> String { String(repeating: " ", count: Swift.max(0, count)) }
}

extension StringProtocol {
    /// How many columns of a terminal it takes; colours of ours take none.
    package var columns: Int {
        var (count, isStyle) = (0, false)
        for character in self {
            if character == "\u{1B}" { isStyle = true }
            if !isStyle { count += character.isWide ? 2 : 1 }
            if character == "m" { isStyle = false }
        }
        return count
    }

    /// What a line may end behind: Chinese and Japanese have no spaces. What closes begins no line, and what opens ends none
    /// (UAX #14, classes CL, NS and OP).
    fileprivate var pieces: [String] {
        reduce(into: []) { pieces, character in
            guard let last = pieces.last?.last, last.isIdeographic || character.isIdeographic,
                !"、。，．：；？！）」』】》〉ー々ぁぃぅぇぉっゃゅょァィゥェォッャュョ".contains(character),
                !"（「『【《〈".contains(last)
            else {
                pieces.append((pieces.popLast() ?? "") + String(character))
                return
            }
            pieces.append(String(character))
        }
    }
}

extension Character {
    /// Whether it takes two columns: what Unicode calls wide or fullwidth (UAX #11).
    fileprivate var isWide: Bool {
        switch unicodeScalars.first?.value ?? 0 {
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF,
            0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F, 0x1F900...0x1F9FF,
            0x20000...0x3FFFD:
            true
        default: false
        }
    }

    /// Whether a line may end before and behind it; Korean has spaces.
    fileprivate var isIdeographic: Bool { isWide && !("\u{1100}"..."\u{115F}" ~= self || "가"..."힣" ~= self) }
}
