internal import CLibcrypto

/// Names as text for people.
extension X509Certificate {
    /// The most bytes of a name that a message shows. A name may be as long as its certificate.
    private static let shownBytes = 400
    /// A name is printed whole if its encoding is no longer than this.
    private static let shortNameBytes = 1_024

    /// A name in the form of RFC 2253. An ellipsis stands for the part that is not shown.
    ///
    /// The work is bounded too: libcrypto gets only the shown part of a long name.
    static func text(of name: OpaquePointer?) -> String {
        guard let name = unsafe name else { return "" }
        var encoded: UnsafePointer<UInt8>?
        var count = 0
        guard unsafe X509_NAME_get0_der(name, &encoded, &count) == 1 else { return "" }
        guard count > shortNameBytes else { return unsafe printed(name) }
        guard let shortened = unsafe shortened(name) else { return "" }
        defer { unsafe X509_NAME_free(shortened) }
        return unsafe printed(shortened)
    }

    private static func printed(_ name: OpaquePointer) -> String {
        guard let output = unsafe BIO_new(BIO_s_mem()) else { return "" }
        defer { unsafe BIO_free(output) }
        // Escapes as in RFC 2253, control characters among them, but UTF-8 stays as it is.
        guard unsafe X509_NAME_print_ex(output, name, 0, clibcrypto_name_flags()) >= 0 else { return "" }
        var start: UnsafeMutablePointer<CChar>?
        let length = unsafe clibcrypto_bio_memory(output, &start)
        guard length > 0, let start = unsafe start else { return "" }
        let shown = min(Int(length), shownBytes)
        let bytes = unsafe UnsafeRawBufferPointer(start: start, count: shown)
        return unsafe String(decoding: bytes, as: UTF8.self) + (shown < length ? "…" : "")
    }

    /// The last attributes of a name, which RFC 2253 shows first: enough for the shown bytes and one byte more.
    private static func shortened(_ name: OpaquePointer) -> OpaquePointer? {
        guard let copy = unsafe X509_NAME_new() else { return nil }
        let count = unsafe X509_NAME_entry_count(name)
        var first = count
        var room = shownBytes + 1
        while first > 0, room > 0 {
            first -= 1
            // An attribute takes its type, an equals sign, its value and a separator.
            let value = unsafe X509_NAME_ENTRY_get_data(X509_NAME_get_entry(name, first))
            room -= 3 + (unsafe value.map { unsafe characters(of: $0, atMost: room).count } ?? 0)
        }
        var previousSet: Int32?
        for index in first..<count {
            let entry = unsafe X509_NAME_get_entry(name, index)
            let set = unsafe X509_NAME_ENTRY_set(entry)
            // -1 adds the attribute to the last relative name, 0 begins another one.
            guard unsafe X509_NAME_add_entry(copy, entry, -1, set == previousSet ? -1 : 0) == 1 else {
                unsafe X509_NAME_free(copy)
                return nil
            }
            previousSet = set
        }
        unsafe shortenFirstValue(of: copy)
        return unsafe copy
    }

    /// Cuts the value of the first attribute. No other can be longer than the shown part.
    private static func shortenFirstValue(of name: OpaquePointer) {
        guard let entry = unsafe X509_NAME_get_entry(name, 0),
            let value = unsafe X509_NAME_ENTRY_get_data(entry)
        else { return }
        let shown = unsafe characters(of: value, atMost: shownBytes + 1).bytes
        guard unsafe shown < Int(ASN1_STRING_length(value)) else { return }
        let bytes = unsafe Self.bytes(of: value)
        _ = unsafe ASN1_STRING_set(value, bytes, Int32(shown))
    }

    /// How many characters a value has, counted up to a limit, and how many bytes they take.
    private static func characters(
        of value: UnsafePointer<ASN1_STRING>, atMost limit: Int
    ) -> (count: Int, bytes: Int) {
        let length = unsafe Int(ASN1_STRING_length(value))
        guard let start = unsafe ASN1_STRING_get0_data(value) else { return (0, 0) }
        let width: Int
        switch unsafe ASN1_STRING_type(value) {
        case V_ASN1_BMPSTRING: width = 2
        case V_ASN1_UNIVERSALSTRING: width = 4
        case V_ASN1_UTF8STRING:
            var count = 0
            for index in 0..<length where unsafe start[index] & 0xc0 != 0x80 {
                if count == limit { return (count, index) }
                count += 1
            }
            return (count, length)
        default: width = 1
        }
        return (min(length / width, limit), min(length, limit * width))
    }
}
