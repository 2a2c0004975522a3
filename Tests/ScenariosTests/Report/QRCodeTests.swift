import Foundation
import TestSupport
import Testing

@testable import Scenarios

@Suite struct QRCodeTests {
    /// One length at each version's end, and one behind it.
    private static let lengths = [1, 14, 15, 26, 27, 42, 62, 84, 106, 107, 122, 152, 180, 181, 213]

    @Test(.enabled(if: Tool("zbarimg") != nil, "zbarimg is not installed"), arguments: lengths)
    func `another's decoder reads what was written`(length: Int) throws {
        let text = String((0..<length).map { Character(Unicode.Scalar(UInt8(33 + ($0 * 37 + length) % 90))) })

        let code = try #require(QRCode(text))

        #expect(try decoded(code) == text)
    }

    @Test(.enabled(if: Tool("zbarimg") != nil, "zbarimg is not installed"))
    func `a damaged code is mended as level M says`() throws {
        let text = "http://192.168.1.5:8899/"
        let code = try #require(QRCode(text))
        // Dirt on 2 % of it.
        var modules = code.modules
        for column in 12..<15 { for row in 12..<15 { modules[row][column].toggle() } }

        #expect(try decoded(modules) == text)
    }

    @Test func `a text that is too long has no code`() {
        #expect(QRCode(String(repeating: "a", count: 214)) == nil)
        #expect(QRCode(String(repeating: "a", count: 213))?.modules.count == 57)
        #expect(QRCode("")?.modules.count == 21)
    }

    @Test func `lines have a quiet zone and are all of one width`() throws {
        let lines = try #require(QRCode("http://192.168.1.5:8899/")).lines

        #expect(Set(lines.map(\.count)).count == 1)
        #expect(lines.count == (25 + 8 + 1) / 2)
        let blank = String(repeating: " ", count: 33)
        #expect(lines.prefix(2).allSatisfy { $0.contains("m\(blank)\u{1B}") })
    }

    private func decoded(_ code: QRCode) throws -> String { try decoded(code.modules) }

    private func decoded(_ modules: [[Bool]]) throws -> String {
        let (scale, border) = (4, 4)
        let size = (modules.count + 2 * border) * scale
        var pixels = [UInt8](repeating: 255, count: size * size)
        for y in 0..<size {
            for x in 0..<size {
                let (row, column) = (y / scale - border, x / scale - border)
                guard modules.indices.contains(row), modules.indices.contains(column), modules[row][column] else {
                    continue
                }
                pixels[y * size + x] = 0
            }
        }
        let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).pgm")
        defer { try? FileManager.default.removeItem(at: file) }
        try (Data("P5 \(size) \(size) 255\n".utf8) + Data(pixels)).write(to: file)
        let zbar = try #require(Tool("zbarimg"))
        return try zbar.run(["-q", "--raw", "-Sbinary", "--nodbus", file.path], environment: ["LC_ALL": "C.UTF-8"])
            .output
            .trimmingCharacters(in: .newlines)
    }
}
