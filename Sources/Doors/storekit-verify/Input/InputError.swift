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
        switch error {
        case .system(let error): say(unreadable: file, error)
        case .notJSON(let error): say("\(file.inputName): it is not JSON: \(error)")
        case .packed(let format):
            let unpacked = file == .standardInput ? "FILE" : file.text
            let sentence = format.sentence(unpacking: unpacked, for: "storekit-verify …")
            say("\(file.inputName): \(sentence ?? "\(format)")")
        }
    }
}
