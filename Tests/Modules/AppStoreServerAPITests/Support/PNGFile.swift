#if ServerAPI && TestServer
    /// A file that begins as a PNG file does, of the size that Apple asks for.
    enum PNGFile {
        static let fullSize: [UInt8] = {
            var file: [UInt8] = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
            // Eight bits each of red, green and blue.
            file += chunk("IHDR", number(3840) + number(2160) + [8, 2, 0, 0, 0])
            return file + chunk("IDAT", []) + chunk("IEND", [])
        }()

        private static func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
            number(content.count) + Array(name.utf8) + content + [0, 0, 0, 0]
        }

        private static func number(_ number: Int) -> [UInt8] {
            [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
        }
    }
#endif
