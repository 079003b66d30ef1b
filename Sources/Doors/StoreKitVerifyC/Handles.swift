internal import Synchronization

#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Glibc
#endif

/// The memory behind a caller's pointer: a mark of the kind of object, and the object.
///
/// The mark is wiped when the object is given back. So a pointer of another kind, and most that were given back before,
/// are recognised; all of the latter are if the memory is kept.
@safe struct Handle<Object: AnyObject & Sendable>: BitwiseCopyable {
    /// The object, which a call keeps for its duration.
    ///
    /// The lock orders a call that begins against one that gives the object back. The object itself is used
    /// without it.
    private final class Place: Sendable {
        let object: Mutex<Object?>

        init(_ object: Object) { self.object = Mutex(object) }
    }

    private var mark: UInt64
    /// Retained once, for the caller.
    private var place: UnsafeMutableRawPointer
    private var isKept: Bool

    /// Makes a pointer for a caller; `nil` if the system has no memory.
    static func make(_ object: Object, mark: UInt64, isKept: Bool = false) -> OpaquePointer? {
        guard let memory = unsafe malloc(MemoryLayout<Handle>.size) else { return nil }
        let place = unsafe Unmanaged.passRetained(Place(object)).toOpaque()
        unsafe memory.bindMemory(to: Handle.self, capacity: 1)
            .initialize(to: Handle(mark: mark, place: place, isKept: isKept))
        return OpaquePointer(memory)
    }

    /// The object that a caller's pointer leads to; `nil` if it does not lead to an object.
    ///
    /// The result keeps the object alive, so a call goes on after another thread has given the object back.
    static func object(of pointer: OpaquePointer, mark: UInt64) -> Object? {
        let handle = unsafe UnsafePointer<Handle>(pointer)
        guard unsafe handle.pointee.mark == mark else { return nil }
        return unsafe Unmanaged<Place>.fromOpaque(handle.pointee.place).takeUnretainedValue().object
            .withLock { $0 }
    }

    /// Gives an object back. A pointer that does not lead to an object is left alone.
    ///
    /// - Parameter pointer: NULL, or the result of `make`. For memory that was given back before, the
    ///   mark decides.
    static func free(_ pointer: OpaquePointer?, mark: UInt64) {
        guard let handle = unsafe UnsafeMutablePointer<Handle>(pointer),
            unsafe handle.pointee.mark == mark
        else { return }
        let place = unsafe Unmanaged<Place>.fromOpaque(handle.pointee.place)
        unsafe place.takeUnretainedValue().object.withLock { $0 = nil }
        guard unsafe !handle.pointee.isKept else { return }
        unsafe handle.pointee.mark = 0
        unsafe place.release()
        unsafe Glibc.free(handle)
    }
}
