import Foundation
import Pinning
import TestSupport
import Testing

/// Files that somebody broke, or means to break the reader with. Whatever they hold, reading them ends in a policy that
/// can be written and read again, or in problems that a person can act on; a trap would end the test process.
@Suite struct `A damaged policy file` {
    @Test(arguments: DamagedSample.all)
    func `is no longer damaged`(sample: DamagedSample) throws {
        let policy = try PolicyFile.load(sample.data, file: "p", dialect: sample.dialect)

        #expect(type(of: policy).dialect == sample.dialect)
        #expect(complaint(about: sample.data, as: sample.dialect, hasLines: sample.hasLines) == nil)
    }

    @Test(arguments: DamagedSample.all)
    func `is read or refused wherever it is cut off`(sample: DamagedSample) {
        for count in 0..<sample.data.count {
            expectSensible(
                sample.data.prefix(count),
                as: count % 2 == 0 ? sample.dialect : nil,
                hasLines: sample.hasLines
            )
        }
    }

    /// 100,000 times in all, or a tenth of that.
    @Test(arguments: DamagedSample.all)
    func `is read or refused whatever is changed`(sample: DamagedSample) async {
        var random = SplitMix64(seed: UInt64(sample.data.count))

        for round in 0..<(DamagedInputs.count(of: 100_000) / DamagedSample.all.count + 1) {
            // Others wait for this processor, some of them with a time limit.
            if round % 32 == 0 { await Task.yield() }
            var bytes = Array(sample.data)
            for _ in 0..<Int.random(in: 1...3, using: &random) { damage(&bytes, &random) }
            // Its dialect is named, or told by what is left of it.
            expectSensible(Data(bytes), as: round % 8 == 0 ? nil : sample.dialect, hasLines: sample.hasLines)
        }
    }

    @Test(.enabled(if: Places.hasVectors("wild"), "the shared test vectors are not beside this checkout"))
    func `may be a certificate of the wild, whole or cut off`() async throws {
        let folder = Places.vectors.appending(path: "wild")
        let files = try #require(FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil))

        for file in files.compactMap({ $0 as? URL }) {
            await Task.yield()
            guard let data = try? Data(contentsOf: file) else { continue }
            for dialect in Dialect.allCases { expectSensible(data, as: dialect, hasLines: false) }
            // The only one that takes certificates, and keys.
            for count in stride(from: 0, to: min(data.count, 3000), by: DamagedInputs.areAll ? 211 : 2110) {
                expectSensible(data.prefix(count), as: .curl, hasLines: false)
            }
        }
    }

    private func damage(_ bytes: inout [UInt8], _ random: inout SplitMix64) {
        guard !bytes.isEmpty else { return }
        let index = Int.random(in: 0..<bytes.count, using: &random)
        switch random.next() % 6 {
        case 0: bytes[index] = UInt8(truncatingIfNeeded: random.next())
        case 1: bytes.remove(at: index)
        case 2: bytes.insert(Array("\"':;{}[]-&*!|\t\n\\<>/=%#?.,0".utf8).randomElement(using: &random)!, at: index)
        case 3: bytes.swapAt(index, Int.random(in: 0..<bytes.count, using: &random))
        case 4: bytes[index] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        default:
            let end = min(bytes.count, index + Int.random(in: 1...24, using: &random))
            bytes.insert(contentsOf: bytes[index..<end], at: Int.random(in: 0...bytes.count, using: &random))
        }
    }

    private func expectSensible(_ data: Data, as dialect: Dialect?, hasLines: Bool) {
        if let complaint = complaint(about: data, as: dialect, hasLines: hasLines) {
            Issue.record("\(complaint):\n\(String(decoding: data, as: UTF8.self))")
        }
    }

    /// What is wrong with what becomes of a file; `nil`: nothing.
    private func complaint(about data: Data, as dialect: Dialect?, hasLines: Bool) -> String? {
        do {
            let policy = try PolicyFile.load(data, file: "damaged", dialect: dialect)
            let rendered = policy.rendered()
            let dialect = type(of: policy).dialect
            do {
                let again = try PolicyFile.load(Data(rendered.utf8), file: "rendered", dialect: dialect)
                return policy.equals(again) ? nil : "written and read again, it is another policy: \(rendered)"
            } catch {
                return "cannot be read again: \(error)"
            }
        } catch {
            // What nobody recognises has no place: the whole file is nobody's.
            return complaint(about: error, in: data, hasPlaces: hasLines && dialect != nil)
        }
    }

    private func complaint(about error: PolicyFileError, in data: Data, hasPlaces: Bool) -> String? {
        let lines = data.split(omittingEmptySubsequences: false) { $0 == 0x0A || $0 == 0x0D }.count
        if error.file != "damaged" { return "names another file: \(error)" }
        if error.problems.isEmpty { return "is refused without a reason" }
        for problem in error.problems {
            if problem.message.isEmpty || problem.description.utf8.contains(0x0A) {
                return "has a problem that is not one line: \(error)"
            }
            if let line = problem.line, !(1...lines + 1).contains(line) { return "names a line it has not: \(error)" }
            if hasPlaces, problem.line == nil, problem.keyPath.isEmpty, !isPlaceless(problem.message) {
                return "names no place: \(error)"
            }
        }
        return nil
    }

    /// What has no place: something that is missing, or the whole of a file; and Foundation counts JSON's characters.
    private func isPlaceless(_ message: String) -> Bool {
        message.hasSuffix(", expected a dictionary")
            || [
                "found neither 'sha256//", "expected 'Public-Key-Pins: ", "found no NSAppTransportSecurity, ",
                "found an empty file", "found no JSON (", "found something else, expected a property list",
            ]
            .contains(where: message.hasPrefix)
    }
}

extension PinConfiguration {
    fileprivate func equals(_ other: any PinConfiguration) -> Bool {
        (self as? any (PinConfiguration & Equatable))?.isSame(as: other) ?? false
    }
}

extension Equatable {
    fileprivate func isSame(as other: Any) -> Bool { self == other as? Self }
}
