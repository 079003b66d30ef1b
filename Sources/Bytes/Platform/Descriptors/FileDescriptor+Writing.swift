internal import Libc

extension FileDescriptor {
    /// Writes all bytes.
    package func write(_ bytes: [UInt8]) throws(SystemError) { try write(bytes, bytes.indices) }

    /// Writes all bytes of the range.
    ///
    /// A full disk, a closed pipe and a file limit are errors; the bytes before them may be written.
    ///
    /// - Throws: `SystemError.brokenPipe` only if `WriteSignals.ignore()` was called. Otherwise the signal
    ///   ends the process.
    package func write(_ bytes: [UInt8], _ range: Range<Int>) throws(SystemError) {
        var written = range.lowerBound
        while written < range.upperBound {
            let result = unsafe bytes.withUnsafeBytes { buffer in
                unsafe systemWrite(
                    number, buffer.baseAddress.map { unsafe $0 + written }, range.upperBound - written)
            }
            if result >= 0 {
                written += result
                continue
            }
            switch errno {
            case EINTR: continue
            case EAGAIN: waitUntilReady(for: Int16(POLLOUT))
            default: throw .last
            }
        }
    }
}

/// The system's `write`, which a method of the same name hides.
private func systemWrite(_ number: Int32, _ start: UnsafeRawPointer?, _ count: Int) -> Int {
    unsafe write(number, start, count)
}
