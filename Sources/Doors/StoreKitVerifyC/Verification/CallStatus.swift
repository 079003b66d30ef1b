internal import CStoreKitVerify

/// The statuses of calls, by the numbers of the header.
enum CallStatus: Int32, CaseIterable {
    case ok = 0
    case invalidArgument = -1
    case invalidOptions = -2
    case invalidRoot = -3
    case invalidOffsets = -4
    case invalidArrow = -5
    case outOfMemory = -6
    case invalidHandle = -7
}

/// Why a call was not carried out.
///
/// Calls that have no message to give leave the general one of the status.
struct CallFailure: Error {
    let status: CallStatus
    let message: String

    init(_ status: CallStatus, _ message: String? = nil) {
        self.status = status
        let general = unsafe String(cString: skv_status_message(status.rawValue))
        self.message = message ?? general
    }
}

extension String {
    /// Copies the text for a caller in C: as much of it as there is room for, cut between characters, and a NUL.
    ///
    /// - Parameter capacity: the bytes of the buffer, the NUL included; with 0 nothing is written.
    func copy(to buffer: UnsafeMutablePointer<CChar>?, _ capacity: Int) {
        guard let buffer = unsafe buffer, capacity > 0 else { return }
        var length = 0
        for scalar in unicodeScalars {
            let bytes = Array(String(scalar).utf8)
            guard length + bytes.count < capacity else { break }
            for byte in bytes {
                unsafe buffer[length] = CChar(bitPattern: byte)
                length += 1
            }
        }
        unsafe buffer[length] = 0
    }
}
