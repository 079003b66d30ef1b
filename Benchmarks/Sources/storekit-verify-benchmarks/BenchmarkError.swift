/// Why figures would mean nothing.
enum BenchmarkError: Error, CustomStringConvertible {
    /// What is to be timed takes a bad signature for good, or a good one for bad.
    case wrongVerdict(String)
    /// A process ended otherwise than it should.
    case unexpectedEnd(program: String, status: Int32, detail: String)
    /// libcrypto refused a key.
    case libcrypto(function: String)
    /// A file is not what it should be.
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
