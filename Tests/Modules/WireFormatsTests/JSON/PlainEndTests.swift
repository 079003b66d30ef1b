import CTextScanning
import CTextScanningByWords
import SeededRandom
import Testing

/// The scans that find the end of a run of plain characters, against one that looks at byte by byte.
@Suite struct PlainEndTests {
    @Test func `every byte at every place of texts of every length stops the scan or does not`() {
        var differences = 0
        for length in 0...48 {
            var text = [UInt8](repeating: UInt8(ascii: "v"), count: length)
            for place in 0..<length {
                for byte in UInt8.min ... .max {
                    text[place] = byte
                    for start in [0, min(1, place), place] where !agree(text, start) { differences += 1 }
                }
                text[place] = UInt8(ascii: "v")
            }
            if !agree(text, 0) || !agree(text, length) { differences += 1 }
        }
        #expect(differences == 0)
    }

    @Test func `several bytes that stop the scan do not hide one another`() {
        var random = SplitMix64(seed: 6)
        let bytes: [UInt8] = [0x00, 0x1f, 0x20, 0x21, 0x22, 0x23, 0x5b, 0x5c, 0x5d, 0x7f, 0x80, 0xa0, 0xff]
        var differences = 0
        for _ in 0..<200_000 {
            let text = (0..<Int(random.next() % 40)).map { _ in
                // Rare bytes among plain ones.
                let place = Int(random.next() % UInt64(bytes.count * 4))
                return place < bytes.count ? bytes[place] : 0x61
            }
            if !agree(text, Int(random.next() % UInt64(text.count + 1))) { differences += 1 }
        }
        #expect(differences == 0)
    }

    private func agree(_ text: [UInt8], _ start: Int) -> Bool {
        let stop = text[start...].firstIndex { $0 < 0x20 || $0 >= 0x80 || $0 == 0x22 || $0 == 0x5c }
        let expected = stop ?? text.count
        return unsafe text.withUnsafeBufferPointer { buffer in
            guard let base = buffer.baseAddress else { return expected == 0 }
            return unsafe text_scanning_plain_end(base, start, text.count) == expected
                && text_scanning_plain_end_by_words(base, start, text.count) == expected
        }
    }
}
