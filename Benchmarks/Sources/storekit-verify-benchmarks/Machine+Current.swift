import BenchmarkKit
import Foundation
import P256Verification

extension Machine {
    /// This machine.
    static func current() -> Machine {
        let description = (try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8)) ?? ""
        let system = (try? String(contentsOfFile: "/etc/os-release", encoding: .utf8)) ?? ""
        let name = system.split(separator: "\n").first { $0.hasPrefix("PRETTY_NAME=") }
            .map { $0.dropFirst("PRETTY_NAME=".count).filter { $0 != "\"" } }
        return Machine(
            processor: value(of: "model name", in: description) ?? "an unknown processor",
            vectorInstructions: currentVectorInstructions,
            cores: ProcessInfo.processInfo.activeProcessorCount,
            operatingSystem: name ?? ProcessInfo.processInfo.operatingSystemVersionString,
            openSSL: PreparedKey.version, swift: swiftVersion() ?? "Swift")
    }

    /// The instruction set that the vector engine uses on this processor, if any.
    static var currentVectorInstructions: String? {
        guard P256Verifier.Engine.available.contains(.vector) else { return nil }
        let description = (try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8)) ?? ""
        let flags = (value(of: "flags", in: description) ?? "").split(separator: " ")
        return flags.contains("avx512ifma") ? "AVX-512 IFMA" : "AVX2"
    }

    private static func swiftVersion() -> String? {
        guard let folder = try? TemporaryFolder() else { return nil }
        var process = ChildProcess("swift", ["--version"])
        process.output = .file(folder.path("version"))
        process.errors = .null
        guard (try? process.run())?.status == 0,
            let text = try? String(contentsOfFile: folder.path("version"), encoding: .utf8)
        else { return nil }
        return text.split(separator: "\n").first.map(String.init)
    }
}
