import Scenarios
import Testing

/// How wide text is on a terminal, and where lines end.
struct TextLayoutTests {
    // As wcwidth(3) of glibc 2.36 has it.
    @Test(arguments: [
        ("pin", 3), ("", 0), ("é", 1), ("e\u{301}", 1), ("핀", 2), ("固定", 4), ("ピン", 4), ("「鍵」", 6), ("，", 2),
        ("Wi-Fi，", 7), ("└─ · “x”", 8), ("\u{1B}[31m盗\u{1B}[0m", 2),
    ])
    func `a column is what a terminal gives`(text: String, columns: Int) {
        #expect(text.columns == columns)
    }

    @Test func `words stay whole, and lines of Chinese and Japanese end anywhere`() {
        #expect("one two three".wrapped(to: 8, indent: " ") == [" one two", " three"])
        #expect("열쇠를 바꾸면 끝난다".wrapped(to: 14, indent: "") == ["열쇠를 바꾸면", "끝난다"])
        #expect("更换密钥之后".wrapped(to: 8, indent: "") == ["更换密钥", "之后"])
        #expect("api.acme.example は".wrapped(to: 16, indent: "") == ["api.acme.example", "は"])
    }

    @Test func `what closes begins no line, and what opens ends none`() {
        #expect("更换密钥，然后".wrapped(to: 8, indent: "") == ["更换密", "钥，然后"])
        #expect("鍵は「古い」".wrapped(to: 6, indent: "") == ["鍵は", "「古", "い」"])
    }

    @Test func `a cell is filled up to its columns`() {
        #expect("鍵".padded(to: 4) == "鍵  ")
        #expect("key".padded(to: 4) == "key ")
    }
}
