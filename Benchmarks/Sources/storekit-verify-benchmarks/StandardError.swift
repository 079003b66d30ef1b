import Foundation

/// Reports progress. Standard output has only the table.
enum StandardError {
    static func say(_ message: String) {
        FileHandle.standardError.write(Data("benchmarks: \(message)\n".utf8))
    }
}
