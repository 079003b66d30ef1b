internal import CLibcrypto

/// The output of one of libcrypto's encoders; empty if it fails.
///
/// The encoder allocates the bytes with libcrypto's own `malloc`. They are copied and freed here.
func encoding(
    _ encode: (UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>) -> Int32
) -> [UInt8] {
    var bytes: UnsafeMutablePointer<UInt8>?
    let count = unsafe encode(&bytes)
    defer { unsafe CRYPTO_free(bytes, nil, 0) }
    guard count > 0, let start = unsafe bytes else { return [] }
    return unsafe Array(UnsafeBufferPointer(start: start, count: Int(count)))
}

/// The result of one of libcrypto's decoders; `nil` if it fails. It is the caller's to free. Bytes behind it are not noticed.
func decoding(
    _ bytes: Span<UInt8>, _ decode: (UnsafeMutablePointer<UnsafePointer<UInt8>?>, Int) -> OpaquePointer?
) -> OpaquePointer? {
    unsafe bytes.withUnsafeBufferPointer { buffer in
        var next = buffer.baseAddress
        return unsafe decode(&next, buffer.count)
    }
}
