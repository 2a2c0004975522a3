/// The lines on which keys stand, by searching the text for them one below the other.
struct KeyLines {
    /// Where each word of the text ends, in its order: what stands between two tags, or between the marks of other forms.
    private var places: [Substring: [Int]] = [:]
    private var lineFeeds: [Int] = []
    private var isXML = false

    init() {}

    init(_ text: String, isXML: Bool) {
        self.isXML = isXML
        let marks = Array((isXML ? "<>" : "\"'{}[]()=;:, \t\r\n").utf8)
        var isMark = [Bool](repeating: false, count: 256)
        for mark in marks { isMark[Int(mark)] = true }
        var start = text.startIndex
        var offset = 0
        for index in text.utf8.indices {
            let byte = text.utf8[index]
            if byte == UInt8(ascii: "\n") { lineFeeds.append(offset) }
            if isMark[Int(byte)] {
                if start < index { places[text[start..<index], default: []].append(offset) }
                start = text.utf8.index(after: index)
            }
            offset += 1
        }
    }

    func line(of path: [String]) -> Int? {
        var place: Int?
        for key in path where !key.hasPrefix("[") {
            let word = isXML ? PropertyListText.escape(key) : key
            // TrustKit's keys may be spelled as the constants of code.
            let next = [word, "k" + word].compactMap { word in
                places[word[...]].flatMap { ends in
                    let index = ends.partitioningIndex { $0 > place ?? -1 }
                    return index < ends.count ? ends[index] : nil
                }
            }
            guard let next = next.min() else { return nil }
            place = next
        }
        return place.map { place in lineFeeds.partitioningIndex { $0 >= place } + 1 }
    }
}

extension [Int] {
    /// The first index of a sorted array whose element fits; the end where none does.
    fileprivate func partitioningIndex(where fits: (Int) -> Bool) -> Int {
        var range = startIndex..<endIndex
        while !range.isEmpty {
            let middle = range.lowerBound + range.count / 2
            range = fits(self[middle]) ? range.lowerBound..<middle : middle + 1..<range.upperBound
        }
        return range.lowerBound
    }
}
