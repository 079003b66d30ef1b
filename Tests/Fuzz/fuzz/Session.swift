import Essentials
import FuzzTargets

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// The target of a fuzzing process.
///
/// The environment variable `FUZZ_TARGET` names the target. With `FUZZ_SEEDS`, the process does not fuzz: it
/// writes the seeds from the test vectors into the folder with that name.
struct Session {
    let name: String
    let target: any FuzzTarget

    static let current: Session = {
        let name = ProcessInfo.processInfo.environment["FUZZ_TARGET"] ?? ""
        guard let type = FuzzTargets.named(name) else {
            quit("FUZZ_TARGET is one of \(FuzzTargets.all.map { $0.name }.joined(separator: " "))")
        }
        do {
            return Session(name: name, target: try type.init())
        } catch {
            quit("\(name) can't be prepared: \(error)")
        }
    }()

    static func prepare() {
        let session = current
        guard let folder = ProcessInfo.processInfo.environment["FUZZ_SEEDS"] else { return }
        do {
            for (number, seed) in try Seeds.vectors(for: session.target).enumerated() {
                try Data(seed.input).write(to: URL(filePath: folder).appending(path: "vector-\(number)"))
            }
        } catch {
            quit("the seeds can't be written: \(error)")
        }
        exit(0)
    }

    private static func quit(_ message: String) -> Never {
        print(message)
        exit(64)
    }
}
