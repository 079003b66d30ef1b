internal import AppReceipts
public import CStoreKitVerify
internal import Essentials
internal import Libcrypto
internal import SignedPayloads
internal import WireFormats

#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Glibc
#endif

// The functions of storekit_verify.h, which documents them. They never trap on a caller's arguments, as far as a
// pointer can be judged.

/// The results of a call. They never change and never move: pointers into them are good as long as they are.
///
/// The buffers are reached without a lock, because a call has written them all before the caller gets the
/// handle.
private final class Results: @unchecked Sendable {
    let rows: ResultRows

    init(_ rows: consuming ResultRows) { self.rows = rows }
}

private typealias VerifierHandle = Handle<Verifier>
private typealias ResultsHandle = Handle<Results>

/// "skv_veri" and "skv_resu" in ASCII: numbers that memory of another use hardly ever has.
private let verifierMark: UInt64 = 0x736b_765f_7665_7269
private let resultsMark: UInt64 = 0x736b_765f_7265_7375

// MARK: - Verifiers

/// See storekit_verify.h.
@c @implementation public func skv_verifier_create(
    _ roots: UnsafePointer<skv_bytes>?, _ root_count: Int, _ options: UnsafePointer<CChar>?, _ length: Int,
    _ verifier: UnsafeMutablePointer<OpaquePointer?>?, _ message: UnsafeMutablePointer<CChar>?,
    _ capacity: Int
) -> Int32 {
    do throws(CallFailure) {
        guard let verifier = unsafe verifier else { throw CallFailure(.invalidArgument) }
        unsafe verifier.pointee = nil
        guard let json = unsafe BorrowedBytes(options, length), root_count >= 0,
            unsafe roots != nil || root_count == 0
        else { throw CallFailure(.invalidArgument) }
        var certificates: [[UInt8]] = []
        for index in 0..<root_count {
            let root = unsafe roots.map { unsafe BorrowedBytes($0[index].bytes, $0[index].length) } ?? nil
            guard let root else { throw CallFailure(.invalidArgument) }
            certificates.append(root.array)
        }
        let parsed =
            unsafe options == nil
            ? VerifierOptions()
            : try json.withSpan { (json) throws(CallFailure) in try VerifierOptions(callerGave: json) }
        // The host process may end while its threads are inside this library.
        LibcryptoLifetime.outlivesExit()
        let made = try Verifier(parsed, roots: certificates)
        guard let handle = unsafe VerifierHandle.make(made, mark: verifierMark, isKept: parsed.isDebugging)
        else { throw CallFailure(.outOfMemory) }
        unsafe verifier.pointee = handle
        return CallStatus.ok.rawValue
    } catch {
        unsafe error.message.copy(to: message, capacity)
        return error.status.rawValue
    }
}

/// See storekit_verify.h.
@c @implementation public func skv_verifier_free(_ verifier: OpaquePointer?) {
    unsafe VerifierHandle.free(verifier, mark: verifierMark)
}

// MARK: - Verification

/// Carries out a call with a verifier.
///
/// - Returns: the status of the call.
private func call(
    _ verifier: OpaquePointer?, _ body: (Verifier) throws(CallFailure) -> Void
) -> Int32 {
    do throws(CallFailure) {
        guard let verifier = unsafe verifier else { throw CallFailure(.invalidArgument) }
        guard let object = unsafe VerifierHandle.object(of: verifier, mark: verifierMark) else {
            throw CallFailure(.invalidHandle)
        }
        try body(object)
        return CallStatus.ok.rawValue
    } catch {
        return error.status.rawValue
    }
}

/// Carries out a call that gives rows.
///
/// - Parameters:
///   - flags: the caller's bits. One that is not known is an error, so that a later version can give it a
///     meaning.
///   - results: is NULL after a failure.
private func callForRows(
    _ verifier: OpaquePointer?, _ flags: UInt32, _ results: UnsafeMutablePointer<OpaquePointer?>?,
    _ rows: (Verifier, ResultFlags) throws(CallFailure) -> ResultRows
) -> Int32 {
    guard let results = unsafe results else { return CallStatus.invalidArgument.rawValue }
    unsafe results.pointee = nil
    return unsafe call(verifier) { verifier throws(CallFailure) in
        let flags = ResultFlags(rawValue: flags)
        guard ResultFlags.all.isSuperset(of: flags) else { throw CallFailure(.invalidArgument) }
        let rows = try rows(verifier, flags)
        guard !rows.isExhausted, let handle = unsafe ResultsHandle.make(Results(rows), mark: resultsMark)
        else {
            throw CallFailure(.outOfMemory)
        }
        unsafe results.pointee = handle
    }
}

/// Offsets are checked before the first token is read, so that no length of a caller leads outside of `data`.
private func verify(
    _ verifier: OpaquePointer?, _ data: UnsafePointer<CChar>?, _ size: Int, _ offsets: TokenOffsets?,
    _ flags: UInt32, _ results: UnsafeMutablePointer<OpaquePointer?>?
) -> Int32 {
    unsafe callForRows(verifier, flags, results) { verifier, flags throws(CallFailure) in
        guard let data = unsafe BorrowedBytes(data, size), let offsets else {
            throw CallFailure(.invalidArgument)
        }
        guard offsets.ascend(to: size) else { throw CallFailure(.invalidOffsets) }
        return verifier.rows(of: data, at: offsets, flags)
    }
}

/// See storekit_verify.h.
@c @implementation public func skv_verify_token(
    _ verifier: OpaquePointer?, _ token: UnsafePointer<CChar>?, _ length: Int, _ flags: UInt32,
    _ results: UnsafeMutablePointer<OpaquePointer?>?
) -> Int32 {
    // A length of more than half the address space becomes negative here, and is refused as an invalid
    // argument.
    let offsets: [Int64] = [0, Int64(truncatingIfNeeded: length)]
    return unsafe offsets.withUnsafeBufferPointer { offsets in
        unsafe verify(verifier, token, length, TokenOffsets(offsets.baseAddress, count: 1), flags, results)
    }
}

/// See storekit_verify.h.
@c @implementation public func skv_verify32(
    _ verifier: OpaquePointer?, _ data: UnsafePointer<CChar>?, _ size: Int,
    _ offsets: UnsafePointer<Int32>?, _ count: Int, _ flags: UInt32,
    _ results: UnsafeMutablePointer<OpaquePointer?>?
) -> Int32 {
    unsafe verify(verifier, data, size, TokenOffsets(offsets, count: count), flags, results)
}

/// See storekit_verify.h.
@c @implementation public func skv_verify64(
    _ verifier: OpaquePointer?, _ data: UnsafePointer<CChar>?, _ size: Int,
    _ offsets: UnsafePointer<Int64>?, _ count: Int, _ flags: UInt32,
    _ results: UnsafeMutablePointer<OpaquePointer?>?
) -> Int32 {
    unsafe verify(verifier, data, size, TokenOffsets(offsets, count: count), flags, results)
}

/// See storekit_verify.h.
@c @implementation public func skv_verify_receipt(
    _ verifier: OpaquePointer?, _ content: UnsafeRawPointer?, _ length: Int, _ flags: UInt32,
    _ results: UnsafeMutablePointer<OpaquePointer?>?
) -> Int32 {
    unsafe callForRows(verifier, flags, results) { verifier, flags throws(CallFailure) in
        guard let content = unsafe BorrowedBytes(content, length) else { throw CallFailure(.invalidArgument) }
        return verifier.rows(ofReceipt: content, flags)
    }
}

// MARK: - Results

/// `nil` for NULL and for a pointer that is not a handle of results: every function below gives 0 or NULL then.
private func results(_ pointer: OpaquePointer?) -> Results? {
    unsafe pointer.flatMap { unsafe ResultsHandle.object(of: $0, mark: resultsMark) }
}

/// See storekit_verify.h.
@c @implementation public func skv_results_count(_ pointer: OpaquePointer?) -> Int {
    unsafe results(pointer)?.rows.codes.count ?? 0
}

/// See storekit_verify.h.
@c @implementation public func skv_results_verified_count(_ pointer: OpaquePointer?) -> Int {
    unsafe results(pointer)?.rows.verifiedCount ?? 0
}

/// See storekit_verify.h.
@c @implementation public func skv_results_codes(_ pointer: OpaquePointer?) -> UnsafePointer<UInt8>? {
    unsafe results(pointer).flatMap { unsafe UnsafePointer($0.rows.codes.base) }
}

/// See storekit_verify.h.
@c @implementation public func skv_results_kinds(_ pointer: OpaquePointer?) -> UnsafePointer<UInt8>? {
    unsafe results(pointer).flatMap { unsafe UnsafePointer($0.rows.kinds.base) }
}

/// See storekit_verify.h.
@c @implementation public func skv_results_text(
    _ pointer: OpaquePointer?, _ column: Int32, _ offsets: UnsafeMutablePointer<UnsafePointer<Int64>?>?
) -> UnsafePointer<CChar>? {
    guard let offsets = unsafe offsets else { return nil }
    unsafe offsets.pointee = nil
    guard let column = TextColumn(rawValue: column), let results = unsafe results(pointer) else { return nil }
    let (text, places) =
        switch column {
        case .payload: unsafe (results.rows.payloads.bytes.base, results.rows.payloads.offsets.base)
        case .message: unsafe (results.rows.messages.bytes.base, results.rows.messages.offsets.base)
        case .detail: unsafe (results.rows.details.bytes.base, results.rows.details.offsets.base)
        case .member: unsafe (results.rows.members.bytes.base, results.rows.members.offsets.base)
        }
    unsafe offsets.pointee = unsafe UnsafePointer(places)
    return unsafe UnsafePointer(UnsafeRawPointer(text)?.assumingMemoryBound(to: CChar.self))
}

/// See storekit_verify.h.
@c @implementation public func skv_results_free(_ pointer: OpaquePointer?) {
    unsafe ResultsHandle.free(pointer, mark: resultsMark)
}

// MARK: - Text

/// Carries out a call that gives text.
///
/// - Parameters:
///   - output: gets the text, which the caller gives back with `skv_free`; NULL after a failure.
///   - length: gets the number of bytes. No NUL follows them.
private func callForText(
    _ verifier: OpaquePointer?, _ output: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?,
    _ length: UnsafeMutablePointer<Int>?, _ text: (Verifier) throws(CallFailure) -> TextBox
) -> Int32 {
    guard let output = unsafe output, let length = unsafe length else {
        return CallStatus.invalidArgument.rawValue
    }
    unsafe output.pointee = nil
    unsafe length.pointee = 0
    return unsafe call(verifier) { verifier throws(CallFailure) in
        let text = try text(verifier)
        // A text without bytes has a pointer too.
        guard text.text.reserve(1), !text.text.isExhausted else { throw CallFailure(.outOfMemory) }
        unsafe length.pointee = text.text.count
        unsafe output.pointee = UnsafeMutableRawPointer(text.take())?.assumingMemoryBound(to: CChar.self)
    }
}

/// See storekit_verify.h.
@c @implementation public func skv_verify_lines(
    _ verifier: OpaquePointer?, _ lines: UnsafePointer<CChar>?, _ length: Int, _ format: Int32,
    _ output: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?, _ length_out: UnsafeMutablePointer<Int>?,
    _ failed: UnsafeMutablePointer<Int>?
) -> Int32 {
    if let failed = unsafe failed { unsafe failed.pointee = 0 }
    return unsafe callForText(verifier, output, length_out) { verifier throws(CallFailure) in
        guard let lines = unsafe BorrowedBytes(lines, length), let format = LineFormat(rawValue: format)
        else {
            throw CallFailure(.invalidArgument)
        }
        let text = verifier.text(about: lines, format)
        if let failed = unsafe failed { unsafe failed.pointee = text.failed }
        return text
    }
}

/// See storekit_verify.h.
@c @implementation public func skv_inspect(
    _ verifier: OpaquePointer?, _ input: UnsafePointer<CChar>?, _ length: Int, _ format: Int32,
    _ output: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?, _ length_out: UnsafeMutablePointer<Int>?,
    _ verified: UnsafeMutablePointer<Int32>?
) -> Int32 {
    if let verified = unsafe verified { unsafe verified.pointee = 0 }
    return unsafe callForText(verifier, output, length_out) { verifier throws(CallFailure) in
        guard let input = unsafe BorrowedBytes(input, length), format == 0 || format == 1 else {
            throw CallFailure(.invalidArgument)
        }
        let (text, isVerified) = verifier.inspection(of: input.array, isJSON: format == 1)
        if isVerified, let verified = unsafe verified { unsafe verified.pointee = 1 }
        return text
    }
}

/// See storekit_verify.h.
@c @implementation public func skv_free(_ text: UnsafeMutableRawPointer?) { unsafe free(text) }

/// See storekit_verify.h.
@c @implementation public func skv_device_hash(
    _ nonce: UnsafePointer<CChar>?, _ device: UnsafePointer<CChar>?, _ hash: UnsafeMutablePointer<CChar>?
) -> Int32 {
    guard let hash = unsafe hash, let nonce = unsafe nonce, let device = unsafe device,
        let nonce = unsafe UUID(canonicalForm: String(cString: nonce)),
        let device = unsafe UUID(canonicalForm: String(cString: device))
    else { return CallStatus.invalidArgument.rawValue }
    let text = DeviceVerification.base64Hash(nonce: nonce, deviceIdentifier: device)
    // A hash of SHA-384 has 48 bytes, which are 64 digits of base64. The header asks for room for 65.
    unsafe text.copy(to: hash, 65)
    return CallStatus.ok.rawValue
}

// MARK: - Arrow

/// See storekit_verify.h.
@c @implementation public func skv_verify_arrow(
    _ verifier: OpaquePointer?, _ schema: UnsafePointer<ArrowSchema>?, _ array: UnsafePointer<ArrowArray>?,
    _ form: Int32, _ out_schema: UnsafeMutablePointer<ArrowSchema>?,
    _ out_array: UnsafeMutablePointer<ArrowArray>?, _ message: UnsafeMutablePointer<CChar>?, _ capacity: Int
) -> Int32 {
    guard let out_schema = unsafe out_schema, let out_array = unsafe out_array else {
        return CallStatus.invalidArgument.rawValue
    }
    // Before anything can fail: a caller releases structures that have a release function, and this one has no such function.
    unsafe out_schema.initialize(to: ArrowSchema())
    unsafe out_array.initialize(to: ArrowArray())
    return unsafe call(verifier) { verifier throws(CallFailure) in
        do throws(CallFailure) {
            guard let schema = unsafe schema, let array = unsafe array, let form = ArrowForm(rawValue: form)
            else {
                throw CallFailure(.invalidArgument)
            }
            let tokens = unsafe try ArrowTokens(array.pointee, schema.pointee)
            let table =
                switch form {
                case .verdicts: try verifier.rows(of: tokens, []).table()
                case .typed: try verifier.rows(of: tokens, .typed).table()
                case .rows: try verifier.arrowRows(of: tokens).table()
                }
            unsafe table.export(to: out_array, out_schema)
        } catch {
            unsafe error.message.copy(to: message, capacity)
            throw error
        }
    }
}
