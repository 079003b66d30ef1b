import CommandSupport
import Platform
import SignedPayloads
import WireFormats

/// Why the lines of an input cannot be read to their end.
enum InputError: Error {
    /// The system does not give the bytes.
    case system(SystemError)
    /// The input has no lines, but its first bytes show which program unpacks it into lines.
    case packed(MistakenInput)
    /// The input should be JSON, and is not.
    case notJSON(JSONError)

    /// Calls the system for an input.
    static func whenCalling<Value: ~Copyable>(
        _ system: () throws(SystemError) -> Value
    ) throws(InputError) -> Value {
        do throws(SystemError) {
            return try system()
        } catch {
            throw .system(error)
        }
    }
}

extension StandardError {
    /// Says why an input cannot be read.
    static func say(unreadable file: FileName, _ error: InputError) {
        let name = file == .standardInput ? "standard input" : file.text
        switch error {
        case .system(let error): say(unreadable: file, error)
        case .notJSON(let error): say("\(name): it is not JSON: \(error)")
        case .packed(let format):
            let file = file == .standardInput ? "FILE" : file.text
            say("\(name): \(format.sentence(unpacking: file, for: "storekit-verify …") ?? "\(format)")")
        }
    }
}
