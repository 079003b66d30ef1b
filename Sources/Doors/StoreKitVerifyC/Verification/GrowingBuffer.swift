#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Glibc
#endif

/// Elements in memory of the C library, which callers in C can be given.
///
/// If the system has no more memory, the buffer says so and takes no more elements.
///
/// An array of Swift's cannot be given to C without a copy, and ends the process where there is no memory.
@safe struct GrowingBuffer<Element: BitwiseCopyable>: ~Copyable {
    /// `nil` before the first element, unless `makePointer()` was called.
    private(set) var base: UnsafeMutablePointer<Element>?
    private(set) var count = 0
    private var capacity = 0
    /// Whether the memory is a part of a region that others have parts of too.
    private var isPart = false
    /// Whether elements were lost, because the system had no more memory.
    private(set) var isExhausted = false

    init() { unsafe base = nil }

    /// A buffer that begins with a part of a region. Should it need more, it takes memory of its own.
    init(part: UnsafeMutablePointer<Element>, capacity: Int) {
        unsafe base = part
        self.capacity = capacity
        isPart = true
    }

    /// A buffer that takes over memory which has elements.
    init(owning base: UnsafeMutablePointer<Element>, count: Int, capacity: Int) {
        unsafe self.base = base
        self.count = count
        self.capacity = capacity
    }

    deinit { if !isPart { unsafe free(base) } }

    /// Has memory, even if there is no element: callers are promised a pointer.
    mutating func makePointer() { _ = reserve(1) }

    /// Makes room for more elements. Returns whether there is.
    @inline(__always)
    mutating func reserve(_ additional: Int) -> Bool {
        additional <= capacity - count || grow(additional)
    }

    /// At least the double, so that appending takes constant time on average; at first 64 elements.
    @inline(never)
    private mutating func grow(_ additional: Int) -> Bool {
        guard !isExhausted else { return false }
        let needed = count.addingReportingOverflow(additional)
        let wanted = max(needed.partialValue, capacity &* 2, 64)
        let bytes = wanted.multipliedReportingOverflow(by: MemoryLayout<Element>.stride)
        // Large blocks are moved by their pages, so that growing copies nothing.
        guard !needed.overflow, !bytes.overflow,
            let grown = unsafe realloc(isPart ? nil : base, bytes.partialValue)
        else {
            isExhausted = true
            return false
        }
        let elements = unsafe grown.assumingMemoryBound(to: Element.self)
        if isPart, let base = unsafe base { unsafe elements.update(from: base, count: count) }
        isPart = false
        unsafe base = elements
        capacity = wanted
        return true
    }

    /// Without memory the element is lost, and `isExhausted` is true from then on.
    @inline(__always)
    mutating func append(_ element: Element) {
        guard reserve(1), let base = unsafe base else { return }
        unsafe (base + count).pointee = element
        count += 1
    }

    @inline(__always)
    mutating func append(_ elements: Span<Element>) {
        guard elements.count > 0, reserve(elements.count), let base = unsafe base else { return }
        unsafe elements.withUnsafeBufferPointer { elements in
            if let source = elements.baseAddress {
                unsafe (base + count).update(from: source, count: elements.count)
            }
        }
        count += elements.count
    }

    /// Appends elements that are all the same.
    mutating func append(repeating element: Element, count added: Int) {
        guard added > 0, reserve(added), let base = unsafe base else { return }
        unsafe (base + count).update(repeating: element, count: added)
        count += added
    }

    /// A loss in the other is one here, too.
    mutating func append(_ other: borrowing GrowingBuffer<Element>) {
        if other.isExhausted { isExhausted = true }
        guard other.count > 0, reserve(other.count), let base = unsafe base, let source = unsafe other.base
        else { return }
        unsafe (base + count).update(from: source, count: other.count)
        count += other.count
    }

    /// Says how many elements the memory has, where they were written to it directly.
    ///
    /// - Parameter count: at most the capacity.
    mutating func setCount(_ count: Int) { self.count = min(count, capacity) }

    /// Lends the elements.
    func withSpan<Result>(_ body: (Span<Element>) -> Result) -> Result {
        unsafe body(UnsafeBufferPointer(start: base, count: count).span)
    }

    /// Whether the elements are still in their part of a region.
    var isInRegion: Bool { isPart }

    /// Gives the memory to the caller, who frees it; `nil` only if the buffer has no memory.
    ///
    /// Must not be called on a part of a region, which is not the caller's to free.
    consuming func take() -> UnsafeMutablePointer<Element>? {
        let taken = unsafe base
        discard self
        return unsafe taken
    }
}
