import CLibFuzzer
import FuzzTargets

// libFuzzer contains the main function, and calls these functions by their C names.

/// Prepares the run. If preparing the target fails, the process ends here, so that libFuzzer does not report
/// a finding.
@c(LLVMFuzzerInitialize)
public func initialize(
    _ count: UnsafeMutablePointer<CInt>?,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?>?
) -> CInt {
    Session.prepare()
    return 0
}

/// Runs the target on one input. A violation ends the process.
@c(LLVMFuzzerTestOneInput)
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = unsafe Array(UnsafeBufferPointer(start: start, count: count))
    do throws(Violation) {
        try Session.current.target.check(input)
    } catch {
        fatalError("VIOLATION of \(Session.current.name): \(error)")
    }
    return 0
}

/// Changes an input in place, in its target's own way.
@c(LLVMFuzzerCustomMutator)
public func mutate(
    _ start: UnsafeMutablePointer<UInt8>?, _ count: Int, _ maximumCount: Int, _ seed: CUnsignedInt
) -> Int {
    guard let start = unsafe start else { return 0 }
    let input = unsafe Array(UnsafeBufferPointer(start: start, count: count))
    var tools = MutationTools(seed: UInt64(seed), maximumBytes: maximumCount, changeBytes: changed)
    let changed = Session.current.target.mutate(input, &tools).prefix(maximumCount)
    let buffer = unsafe UnsafeMutableBufferPointer(start: start, count: maximumCount)
    return unsafe buffer.update(fromContentsOf: changed)
}

/// libFuzzer's own change of bytes, which uses the values that the code has compared.
private func changed(_ bytes: [UInt8], _ maximumCount: Int) -> [UInt8] {
    // It adds a few bytes at a time, so room for doubling is enough.
    let room = min(maximumCount, bytes.count * 2 + 64)
    guard bytes.count <= room else { return bytes }
    var buffer = bytes + [UInt8](repeating: 0, count: room - bytes.count)
    let count = unsafe LLVMFuzzerMutate(&buffer, bytes.count, room)
    return Array(buffer.prefix(count))
}
