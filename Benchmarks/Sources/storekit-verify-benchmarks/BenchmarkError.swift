/// Why the figures would mean nothing.
enum BenchmarkError: Error, CustomStringConvertible {
    /// The measured code accepts a bad signature or refuses a good one.
    case wrongVerdict(String)
    /// A process ended in an unexpected way.
    case unexpectedEnd(program: String, status: Int32, detail: String)
    /// libcrypto refused a key.
    case libcrypto(function: String)
    /// A file does not have the expected content.
    case unreadable(String)

    var description: String {
        switch self {
        case .wrongVerdict(let name): "\(name) gave a wrong verdict"
        case .unexpectedEnd(let program, let status, let detail):
            "\(program) ended with status \(status): \(detail)"
        case .libcrypto(let function): "\(function) failed"
        case .unreadable(let path): "\(path) can't be read"
        }
    }
}
