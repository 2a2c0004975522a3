/// A short text as a QR code: byte mode, versions 1 to 10, error correction level M (ISO/IEC 18004:2015).
package struct QRCode: Hashable, Sendable {
    /// Row by row; `true` is dark.
    package let modules: [[Bool]]

    /// - Returns: `nil` where the text is longer than version 10 takes: 213 bytes.
    package init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard let version = Version.all.first(where: { bytes.count <= $0.room }) else { return nil }
        var canvas = Canvas(version)
        canvas.place(version.codewords(of: bytes))
        let masked = (0..<8).map(canvas.masked)
        modules = masked.min { Self.penalty(of: $0) < Self.penalty(of: $1) } ?? canvas.dark
    }

    /// Two modules in each character, dark on light whatever the terminal's colours are, with the quiet zone of four.
    package var lines: [String] {
        let width = modules.count + 8
        func isDark(_ row: Int, _ column: Int) -> Bool {
            modules.indices.contains(row) && modules.indices.contains(column) && modules[row][column]
        }
        return stride(from: -4, to: modules.count + 4, by: 2).map { row in
            let blocks = (-4..<width - 4).map { column in
                switch (isDark(row, column), isDark(row + 1, column)) {
                case (true, true): "█"
                case (true, false): "▀"
                case (false, true): "▄"
                case (false, false): " "
                }
            }
            return "\u{1B}[30;107m\(blocks.joined())\u{1B}[0m"
        }
    }

    /// Section 7.8.3: what makes a code hard to read.
    private static func penalty(of modules: [[Bool]]) -> Int {
        let size = modules.count
        let columns = (0..<size).map { column in modules.map { $0[column] } }
        var penalty = 0
        for line in modules + columns {
            var start = 0
            for index in 1...size where index == size || line[index] != line[start] {
                if index - start >= 5 { penalty += index - start - 2 }
                start = index
            }
            let finder = [true, false, true, true, true, false, true]
            let light = [Bool](repeating: false, count: 4)
            for pattern in [finder + light, light + finder] {
                for start in 0...(size - pattern.count) where line[start..<start + pattern.count].elementsEqual(pattern)
                {
                    penalty += 40
                }
            }
        }
        for row in 1..<size {
            for column in 1..<size {
                let square = [modules[row - 1][column - 1], modules[row - 1][column], modules[row][column - 1]]
                if square.allSatisfy({ $0 == modules[row][column] }) { penalty += 3 }
            }
        }
        let dark = modules.joined().count(where: \.self)
        return penalty + abs(dark * 20 - size * size * 10) / (size * size) * 10
    }
}

/// A size of code, with the numbers of tables 1, 9 and E.1.
private struct Version {
    var number: Int
    var total: Int
    /// Codewords for errors in each block.
    var correction: Int
    var blocks: Int
    /// The centres of alignment patterns, by row and by column.
    var alignments: [Int]

    static let all = [
        Version(number: 1, total: 26, correction: 10, blocks: 1, alignments: []),
        Version(number: 2, total: 44, correction: 16, blocks: 1, alignments: [6, 18]),
        Version(number: 3, total: 70, correction: 26, blocks: 1, alignments: [6, 22]),
        Version(number: 4, total: 100, correction: 18, blocks: 2, alignments: [6, 26]),
        Version(number: 5, total: 134, correction: 24, blocks: 2, alignments: [6, 30]),
        Version(number: 6, total: 172, correction: 16, blocks: 4, alignments: [6, 34]),
        Version(number: 7, total: 196, correction: 18, blocks: 4, alignments: [6, 22, 38]),
        Version(number: 8, total: 242, correction: 22, blocks: 4, alignments: [6, 24, 42]),
        Version(number: 9, total: 292, correction: 22, blocks: 5, alignments: [6, 26, 46]),
        Version(number: 10, total: 346, correction: 26, blocks: 5, alignments: [6, 28, 50]),
    ]

    var size: Int { 17 + 4 * number }
    private var dataCount: Int { total - correction * blocks }
    private var lengthBits: Int { number < 10 ? 8 : 16 }
    /// How many bytes of text it takes.
    var room: Int { (dataCount * 8 - 4 - lengthBits) / 8 }

    /// The text with its mode and length, filled up, with the codewords for errors, in the order in which they are placed.
    func codewords(of bytes: [UInt8]) -> [UInt8] {
        var bits: [Bool] = []
        func append(_ value: Int, _ count: Int) {
            for bit in (0..<count).reversed() { bits.append(value >> bit & 1 == 1) }
        }
        append(0b0100, 4)
        append(bytes.count, lengthBits)
        for byte in bytes { append(Int(byte), 8) }
        append(0, min(4, dataCount * 8 - bits.count))
        append(0, (8 - bits.count % 8) % 8)
        var data = stride(from: 0, to: bits.count, by: 8).map { start in
            bits[start..<start + 8].reduce(UInt8(0)) { $0 << 1 | ($1 ? 1 : 0) }
        }
        for index in 0..<dataCount - data.count { data.append(index.isMultiple(of: 2) ? 0xEC : 0x11) }

        // The later blocks are one longer where they cannot be alike.
        let short = dataCount / blocks
        var parts: [[UInt8]] = []
        var rest = data[...]
        for block in 0..<blocks {
            let count = short + (block >= blocks - dataCount % blocks ? 1 : 0)
            parts.append(Array(rest.prefix(count)))
            rest = rest.dropFirst(count)
        }
        let checks = parts.map { ReedSolomon.remainder(of: $0, count: correction) }
        return (0...short).flatMap { index in parts.compactMap { index < $0.count ? $0[index] : nil } }
            + (0..<correction).flatMap { index in checks.map { $0[index] } }
    }
}

/// Over GF(2^8) modulo x^8 + x^4 + x^3 + x^2 + 1 (section 7.5.2).
private enum ReedSolomon {
    static func remainder(of data: [UInt8], count: Int) -> [UInt8] {
        // The highest coefficient, 1, is left out.
        var divisor = [UInt8](repeating: 0, count: count - 1) + [1]
        var root: UInt8 = 1
        for _ in 0..<count {
            for index in divisor.indices {
                divisor[index] = product(divisor[index], root) ^ (index + 1 < count ? divisor[index + 1] : 0)
            }
            root = product(root, 2)
        }
        var remainder = [UInt8](repeating: 0, count: count)
        for byte in data {
            let factor = byte ^ remainder.removeFirst()
            remainder.append(0)
            for index in remainder.indices { remainder[index] ^= product(divisor[index], factor) }
        }
        return remainder
    }

    private static func product(_ left: UInt8, _ right: UInt8) -> UInt8 {
        var result: UInt8 = 0
        for bit in (0..<8).reversed() {
            result = result << 1 ^ (result >> 7) &* 0x1D
            if right >> UInt8(bit) & 1 == 1 { result ^= left }
        }
        return result
    }
}

/// The modules of a code as they are drawn.
private struct Canvas {
    var dark: [[Bool]]
    /// Those that hold no data.
    private var isFixed: [[Bool]]
    private let version: Version
    private var size: Int { version.size }

    init(_ version: Version) {
        self.version = version
        let empty = [[Bool]](repeating: [Bool](repeating: false, count: version.size), count: version.size)
        (dark, isFixed) = (empty, empty)
        for index in 0..<size {
            fix(6, index, index.isMultiple(of: 2))
            fix(index, 6, index.isMultiple(of: 2))
        }
        for (row, column) in [(3, 3), (3, size - 4), (size - 4, 3)] { drawSquares(row, column, reach: 4) }
        for row in version.alignments {
            for column in version.alignments where !isCorner(row, column) { drawSquares(row, column, reach: 2) }
        }
        drawFormat(mask: 0)
        drawVersion()
    }

    private mutating func fix(_ row: Int, _ column: Int, _ isDark: Bool) {
        (dark[row][column], isFixed[row][column]) = (isDark, true)
    }

    /// A finder pattern with its separator, or an alignment pattern: squares in squares.
    private mutating func drawSquares(_ row: Int, _ column: Int, reach: Int) {
        for y in -reach...reach {
            for x in -reach...reach {
                guard dark.indices.contains(row + y), dark.indices.contains(column + x) else { continue }
                let ring = max(abs(x), abs(y))
                fix(row + y, column + x, reach == 4 ? ring != 2 && ring != 4 : ring != 1)
            }
        }
    }

    private func isCorner(_ row: Int, _ column: Int) -> Bool {
        let last = size - 7
        return [[6, 6], [6, last], [last, 6]].contains([row, column])
    }

    /// Section 7.9: level M is 00.
    private mutating func drawFormat(mask: Int) {
        let bits = (mask << 10 | Self.remainder(of: mask, bits: 10, generator: 0x537)) ^ 0x5412
        for index in 0..<15 {
            let isDark = bits >> index & 1 == 1
            switch index {
            case ..<6: fix(index, 8, isDark)
            case 6: fix(7, 8, isDark)
            case 7: fix(8, 8, isDark)
            case 8: fix(8, 7, isDark)
            default: fix(8, 14 - index, isDark)
            }
            if index < 8 { fix(8, size - 1 - index, isDark) } else { fix(size - 15 + index, 8, isDark) }
        }
        fix(size - 8, 8, true)
    }

    /// Section 7.10, from version 7 on.
    private mutating func drawVersion() {
        guard version.number >= 7 else { return }
        let bits = version.number << 12 | Self.remainder(of: version.number, bits: 12, generator: 0x1F25)
        for index in 0..<18 {
            fix(index / 3, size - 11 + index % 3, bits >> index & 1 == 1)
            fix(size - 11 + index % 3, index / 3, bits >> index & 1 == 1)
        }
    }

    /// Of a BCH code (annexes C and D).
    private static func remainder(of value: Int, bits: Int, generator: Int) -> Int {
        var remainder = value
        for _ in 0..<bits { remainder = remainder << 1 ^ (remainder >> (bits - 1)) * generator }
        return remainder
    }

    /// Section 7.7.3: two columns at a time from the right, up and down in turn, beside the timing pattern.
    mutating func place(_ codewords: [UInt8]) {
        var index = 0
        var isUpward = true
        var right = size - 1
        while right > 0 {
            if right == 6 { right = 5 }
            for step in 0..<size {
                let row = isUpward ? size - 1 - step : step
                for column in [right, right - 1] where !isFixed[row][column] && index < codewords.count * 8 {
                    dark[row][column] = codewords[index / 8] >> (7 - index % 8) & 1 == 1
                    index += 1
                }
            }
            isUpward.toggle()
            right -= 2
        }
    }

    func masked(by mask: Int) -> [[Bool]] {
        var copy = self
        for row in 0..<size {
            for column in 0..<size where !isFixed[row][column] && Self.inverts(mask, row, column) {
                copy.dark[row][column].toggle()
            }
        }
        copy.drawFormat(mask: mask)
        return copy.dark
    }

    /// Table 10.
    private static func inverts(_ mask: Int, _ i: Int, _ j: Int) -> Bool {
        switch mask {
        case 0: (i + j) % 2 == 0
        case 1: i % 2 == 0
        case 2: j % 3 == 0
        case 3: (i + j) % 3 == 0
        case 4: (i / 2 + j / 3) % 2 == 0
        case 5: i * j % 2 + i * j % 3 == 0
        case 6: (i * j % 2 + i * j % 3) % 2 == 0
        default: ((i + j) % 2 + i * j % 3) % 2 == 0
        }
    }
}
