internal import CStoreKitVerify

#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Glibc
#endif

/// A bit for each row, as Arrow has them: the first row in the lowest bit.
///
/// Arrow columnar format, "Validity bitmaps". Bits behind the last row are 0.
struct Bitmap: ~Copyable {
    private(set) var bytes = GrowingBuffer<UInt8>()
    /// The bits of the last byte while it has fewer than eight rows.
    private var pending: UInt8 = 0
    private(set) var count = 0
    /// The number of rows whose bit is 0.
    private(set) var clearCount = 0

    @inline(__always)
    mutating func append(_ bit: Bool) {
        if bit { pending |= 1 << UInt8(count & 7) } else { clearCount += 1 }
        count += 1
        guard count & 7 == 0 else { return }
        bytes.append(pending)
        pending = 0
    }

    /// Appends bits that are all the same.
    ///
    /// - Complexity: a byte for each eight rows, after at most seven single bits.
    mutating func append(repeating bit: Bool, count added: Int) {
        var rest = added
        while rest > 0, count & 7 != 0 {
            append(bit)
            rest -= 1
        }
        bytes.append(repeating: bit ? 0xff : 0, count: rest / 8)
        count += rest / 8 * 8
        if !bit { clearCount += rest / 8 * 8 }
        for _ in 0..<rest % 8 { append(bit) }
    }

    /// Appends another's bits.
    ///
    /// A share of a call begins with a whole byte, so the slow way, bit by bit, is taken only behind a last
    /// share.
    mutating func append(_ other: borrowing Bitmap) {
        other.bytes.withSpan { others in
            if count & 7 == 0 {
                bytes.append(others)
                count += others.count * 8
                clearCount += others.count * 8 - others.indices.reduce(0) { $0 + others[$1].nonzeroBitCount }
            } else {
                for index in others.indices { append(bitsOf: others[index], 8) }
            }
        }
        append(bitsOf: other.pending, other.count & 7)
    }

    private mutating func append(bitsOf byte: UInt8, _ bits: Int) {
        for bit in 0..<bits { append(byte >> UInt8(bit) & 1 == 1) }
    }

    /// Gives the bytes.
    consuming func take() -> GrowingBuffer<UInt8> {
        if count & 7 != 0 { bytes.append(pending) }
        return bytes
    }
}

/// A column of Arrow's, which owns its buffers until it is exported.
///
/// The buffers are memory of the C library's `malloc`, so that any consumer's release can free them.
@safe final class ArrowColumn {
    let name: String
    /// The format, as the Arrow C data interface writes types.
    let format: String
    /// The interface demands the exact number, or -1.
    let nullCount: Int
    fileprivate var buffers: [UnsafeMutableRawPointer?]

    /// - Parameters:
    ///   - name: the column's name, in UTF-8.
    ///   - format: the type, for instance `U` for texts with offsets of 64 bits.
    ///   - validity: a bit for each row that is not null.
    ///   - values: the buffers behind the validity.
    init(
        _ name: String, _ format: String, nullCount: Int, validity: consuming GrowingBuffer<UInt8>,
        _ values: [UnsafeMutableRawPointer?]
    ) {
        (self.name, self.format, self.nullCount) = (name, format, nullCount)
        unsafe buffers = [UnsafeMutableRawPointer(validity.take())] + values
    }

    deinit {
        unsafe buffers.forEach { unsafe free($0) }
    }

    /// Gives the buffers to the exported array.
    ///
    /// Afterwards the column owns nothing, and `deinit` frees nothing.
    fileprivate func takeBuffers() -> [UnsafeMutableRawPointer?] {
        let taken = unsafe buffers
        unsafe buffers = []
        return unsafe taken
    }

    /// Texts, each null where its bit is 0.
    static func texts(_ name: String, _ rows: consuming TextRows, _ validity: consuming Bitmap) -> ArrowColumn
    {
        let nullCount = validity.clearCount
        let (offsets, bytes) = unsafe (rows.offsets.take(), rows.bytes.take())
        return unsafe ArrowColumn(
            name, "U", nullCount: nullCount, validity: validity.take(),
            [UnsafeMutableRawPointer(offsets), UnsafeMutableRawPointer(bytes)])
    }

    /// Booleans, each null where its bit in `validity` is 0.
    static func booleans(_ name: String, _ bits: consuming Bitmap, _ validity: consuming Bitmap)
        -> ArrowColumn
    {
        let nullCount = validity.clearCount
        return unsafe ArrowColumn(
            name, "b", nullCount: nullCount, validity: validity.take(),
            [UnsafeMutableRawPointer(bits.take().take())])
    }
}

// MARK: - Export

/// The buffers and children that an exported array refers to.
///
/// The consumer owns it through `private_data`, and gives it back by the array's release function (Arrow C
/// data interface, "Release callback semantics").
///
/// - Precondition: the buffers come from `malloc`.
@safe private final class ExportedArray {
    let buffers: UnsafeMutablePointer<UnsafeRawPointer?>
    private let bufferCount: Int
    let children: UnsafeMutablePointer<UnsafeMutablePointer<ArrowArray>?>
    private let childCount: Int

    /// At least one element each: a pointer to nothing is allowed, but not every consumer knows it.
    init(_ owned: [UnsafeMutableRawPointer?], children count: Int) {
        bufferCount = unsafe owned.count
        unsafe buffers = .allocate(capacity: max(1, bufferCount))
        for index in 0..<bufferCount { unsafe buffers[index] = UnsafeRawPointer(owned[index]) }
        childCount = count
        unsafe children = .allocate(capacity: max(1, count))
        for index in 0..<count {
            let child = UnsafeMutablePointer<ArrowArray>.allocate(capacity: 1)
            unsafe child.initialize(to: ArrowArray())
            unsafe children[index] = child
        }
    }

    deinit {
        for index in 0..<bufferCount { unsafe free(UnsafeMutableRawPointer(mutating: buffers[index])) }
        unsafe buffers.deallocate()
        for index in 0..<childCount {
            guard let child = unsafe children[index] else { continue }
            // A consumer may have taken a child out; then it has no release function any more.
            unsafe child.pointee.release?(child)
            unsafe child.deallocate()
        }
        unsafe children.deallocate()
    }
}

/// The texts and children that an exported schema refers to.
///
/// Owned as `ExportedArray` is. Its texts are copies, because a consumer may keep the schema longer than the
/// array.
@safe private final class ExportedSchema {
    /// `nil` if the system has no memory for the copy; so is `name`.
    let format: UnsafeMutablePointer<CChar>?
    let name: UnsafeMutablePointer<CChar>?
    let children: UnsafeMutablePointer<UnsafeMutablePointer<ArrowSchema>?>
    private let childCount: Int

    init(_ format: String, _ name: String, children count: Int) {
        unsafe self.format = strdup(format)
        unsafe self.name = strdup(name)
        childCount = count
        unsafe children = .allocate(capacity: max(1, count))
        for index in 0..<count {
            let child = UnsafeMutablePointer<ArrowSchema>.allocate(capacity: 1)
            unsafe child.initialize(to: ArrowSchema())
            unsafe children[index] = child
        }
    }

    deinit {
        unsafe free(format)
        unsafe free(name)
        for index in 0..<childCount {
            guard let child = unsafe children[index] else { continue }
            unsafe child.pointee.release?(child)
            unsafe child.deallocate()
        }
        unsafe children.deallocate()
    }
}

extension ArrowArray {
    /// Offset 0 and no dictionary, as the empty initializer sets them.
    fileprivate init(_ exported: ExportedArray, buffers: Int, children: Int, length: Int, nullCount: Int) {
        unsafe self.init()
        unsafe self.length = Int64(length)
        unsafe null_count = Int64(nullCount)
        unsafe n_buffers = Int64(buffers)
        unsafe n_children = Int64(children)
        unsafe self.buffers = exported.buffers
        unsafe self.children = children == 0 ? nil : exported.children
        unsafe private_data = Unmanaged.passRetained(exported).toOpaque()
        // A consumer calls it once. A second call finds no `private_data` and does nothing.
        unsafe release = { array in
            guard let array = unsafe array, let exported = unsafe array.pointee.private_data else { return }
            unsafe array.pointee.private_data = nil
            unsafe array.pointee.release = nil
            unsafe Unmanaged<ExportedArray>.fromOpaque(exported).release()
        }
    }
}

extension ArrowSchema {
    fileprivate init(_ exported: ExportedSchema, children: Int, isNullable: Bool) {
        unsafe self.init()
        unsafe format = UnsafePointer(exported.format)
        unsafe name = UnsafePointer(exported.name)
        // ARROW_FLAG_NULLABLE
        unsafe flags = isNullable ? 2 : 0
        unsafe n_children = Int64(children)
        unsafe self.children = children == 0 ? nil : exported.children
        unsafe private_data = Unmanaged.passRetained(exported).toOpaque()
        unsafe release = { schema in
            guard let schema = unsafe schema, let exported = unsafe schema.pointee.private_data else {
                return
            }
            unsafe schema.pointee.private_data = nil
            unsafe schema.pointee.release = nil
            unsafe Unmanaged<ExportedSchema>.fromOpaque(exported).release()
        }
    }
}

/// A struct array of columns of the same length.
///
/// It is a record batch in the C data interface: format `+s`.
struct ArrowTable: ~Copyable {
    let columns: [ArrowColumn]
    let count: Int
    /// A bit for each row that is not null.
    var validity: Bitmap

    /// Hands the columns to a consumer, who releases them.
    ///
    /// Only small blocks are allocated here: the columns were made before.
    ///
    /// - Parameters:
    ///   - array: gets the columns. Its memory is the caller's, and was not initialized with an array that
    ///     needs a release.
    ///   - schema: gets the names and types; released apart from the array.
    consuming func export(
        to array: UnsafeMutablePointer<ArrowArray>, _ schema: UnsafeMutablePointer<ArrowSchema>
    ) {
        let exportedSchema = ExportedSchema("+s", "", children: columns.count)
        let nullCount = validity.clearCount
        let exported = unsafe ExportedArray(
            [UnsafeMutableRawPointer(validity.take().take())], children: columns.count)
        for (index, column) in columns.enumerated() {
            guard let child = unsafe exported.children[index],
                let field = unsafe exportedSchema.children[index]
            else { continue }
            let buffers = unsafe column.takeBuffers()
            let inner = unsafe ExportedArray(buffers, children: 0)
            unsafe child.pointee = ArrowArray(
                inner, buffers: buffers.count, children: 0, length: count, nullCount: column.nullCount)
            unsafe field.pointee = ArrowSchema(
                ExportedSchema(column.format, column.name, children: 0), children: 0, isNullable: true)
        }
        unsafe array.pointee = ArrowArray(
            exported, buffers: 1, children: columns.count, length: count, nullCount: nullCount)
        unsafe schema.pointee = ArrowSchema(exportedSchema, children: columns.count, isNullable: true)
    }
}
