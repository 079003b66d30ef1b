import Foundation

/// Where the run says what it is at; standard output has the table alone.
enum StandardError {
    static func say(_ message: String) {
        FileHandle.standardError.write(Data("benchmarks: \(message)\n".utf8))
    }
}
