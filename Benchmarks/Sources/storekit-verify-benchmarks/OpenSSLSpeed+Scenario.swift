import BenchmarkKit

extension Workshop {
    /// Whether the `openssl` command is installed.
    var hasOpenSSL: Bool { (try? finish(ChildProcess("openssl", ["version"]))) != nil }

    /// `openssl speed` for one algorithm, in wall clock time: only the verification of one signature.
    func opensslSpeed(_ series: Series, _ algorithm: OpenSSLSpeed.Algorithm, seconds: Int) -> Scenario {
        guard hasOpenSSL else { return Scenario(series, unavailable: "openssl is not on this machine") }
        var process = ChildProcess(
            "openssl", ["speed", "-elapsed", "-seconds", String(seconds), "-mr", algorithm.rawValue])
        process.errors = .descriptor(1)
        return Scenario(series) { [process] in
            let text = try self.finish(process)
            guard let speed = OpenSSLSpeed.verificationsPerSecond(in: text, of: algorithm) else {
                throw BenchmarkError.unexpectedEnd(program: "openssl speed", status: 0, detail: text)
            }
            return speed
        }
    }
}
