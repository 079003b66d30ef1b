import CommandSupport
import Platform

/// The result of reading a file that should hold one receipt.
///
/// A receipt is a whole file, so it is not read by `LineReader`.
enum ReceiptFile {
    /// The whole file.
    case content([UInt8])
    /// The file is longer than the limit. If it is not a regular file, reading stopped when that was clear.
    case tooLarge(bytes: Int)

    /// 64 KiB, the size of a pipe of Linux.
    private static let chunkBytes = 1 << 16

    /// Reads a file, or standard input for `-`. The limit bounds the memory.
    ///
    /// - Returns: `nil` if a stop was requested before the end.
    static func read(
        _ name: FileName, maximumBytes: Int, _ stopRequest: StopRequest
    ) throws(SystemError) -> ReceiptFile? {
        let file = try name.opened()
        if name != .standardInput, let bytes = file.regularFileBytes, bytes > maximumBytes {
            return .tooLarge(bytes: bytes)
        }
        var content: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: chunkBytes)
        while true {
            file.waitForInput(or: stopRequest.descriptor)
            guard !stopRequest.isMade else { return nil }
            let count = try file.read(into: &chunk, at: 0, atMost: chunk.count)
            guard count > 0 else { return .content(content) }
            content.append(contentsOf: chunk[..<count])
            guard content.count <= maximumBytes else { return .tooLarge(bytes: content.count) }
        }
    }
}
