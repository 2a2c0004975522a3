/// Cuts bytes that come in pieces into the rows of a CSV file (RFC 4180): a line break within quotes ends none.
struct RowSplitter {
    /// No row of usage data is near it.
    static let longestRow = 64 << 10

    enum Row {
        /// Without the line break at its end.
        case whole(UnsafeBufferPointer<UInt8>, line: Int)
        /// Longer than any row may be.
        case endless(line: Int)
    }

    /// The line on which the row began.
    private var line = 1
    private var breaks = 0
    private var isQuoted = false
    private var isSkipping = false
    private var begun: [UInt8] = []

    /// - Parameter row: called for each row that ends in these bytes; the bytes are gone afterwards.
    mutating func take(_ bytes: UnsafeBufferPointer<UInt8>, _ row: (Row) -> Void) {
        var start = 0
        var index = 0
        while index < bytes.count {
            let byte = bytes[index]
            index += 1
            if byte == UInt8(ascii: "\"") {
                isQuoted.toggle()
            } else if byte == UInt8(ascii: "\n") {
                breaks += 1
                if isQuoted, begun.count + index - start <= Self.longestRow { continue }
                if isQuoted { isSkipping = true }
                finish(UnsafeBufferPointer(rebasing: bytes[start..<(index - 1)]), row)
                start = index
            }
        }
        keep(UnsafeBufferPointer(rebasing: bytes[start...]))
    }

    /// A last row may lack its line break.
    mutating func end(_ row: (Row) -> Void) {
        guard !begun.isEmpty || isSkipping else { return }
        [UInt8]().withUnsafeBufferPointer { finish($0, row) }
    }

    private mutating func finish(_ rest: UnsafeBufferPointer<UInt8>, _ row: (Row) -> Void) {
        if isSkipping || begun.count + rest.count > Self.longestRow {
            row(.endless(line: line))
        } else if begun.isEmpty {
            row(.whole(rest.withoutReturn, line: line))
        } else {
            begun += rest
            begun.withUnsafeBufferPointer { row(.whole($0.withoutReturn, line: line)) }
        }
        begun.removeAll(keepingCapacity: true)
        (isQuoted, isSkipping) = (false, false)
        line += breaks
        breaks = 0
    }

    private mutating func keep(_ rest: UnsafeBufferPointer<UInt8>) {
        guard !isSkipping else { return }
        if begun.count + rest.count > Self.longestRow {
            isSkipping = true
            // What is skipped ends with its line, whatever was quoted in it.
            isQuoted = false
            begun.removeAll(keepingCapacity: true)
        } else {
            begun += rest
        }
    }
}

extension UnsafeBufferPointer<UInt8> {
    fileprivate var withoutReturn: UnsafeBufferPointer<UInt8> {
        last == UInt8(ascii: "\r") ? UnsafeBufferPointer(rebasing: dropLast()) : self
    }
}
