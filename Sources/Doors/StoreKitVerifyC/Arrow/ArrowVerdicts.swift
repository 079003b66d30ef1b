internal import CStoreKitVerify
internal import SignedPayloads

extension ResultRows {
    /// The columns of the command's objects.
    ///
    /// A column is null where it says nothing: an error of a verified row, a type of another one.
    ///
    /// - Throws: that there is not enough memory.
    consuming func table() throws(CallFailure) -> ArrowTable {
        var types = TextRows()
        var errors = TextRows()
        for row in 0..<codes.count {
            let (code, kind) = (codes.withSpan { Int32($0[row]) }, kinds.withSpan { Int32($0[row]) })
            if code == Self.null {
            } else if code == SKV_VERIFIED {
                unsafe types.append(constant: skv_kind_name(kind))
            } else {
                unsafe errors.append(constant: skv_code_name(code))
            }
            types.endRow()
            errors.endRow()
        }
        guard !isExhausted, !types.isExhausted, !errors.isExhausted else { throw CallFailure(.outOfMemory) }
        let count = codes.count
        // These are made before the texts are taken out of the rows.
        let rows = bits { $0 != Self.null }
        let membersValid = membersPresent()
        let detailsValid = bits(Self.isFailure)
        let messagesValid = bits(Self.isFailure)
        let payloadsValid = bits { $0 == SKV_VERIFIED }
        let columns = [
            ArrowColumn.booleans("verified", bits { $0 == SKV_VERIFIED }, bits { $0 != Self.null }),
            ArrowColumn.texts("type", types, bits { $0 == SKV_VERIFIED }),
            ArrowColumn.texts("error", errors, bits(Self.isFailure)),
            ArrowColumn.booleans(
                "retryable", bits { $0 == SKV_REVOCATION_UNKNOWN }, bits(Self.isFailure)),
            ArrowColumn.texts("at", members, membersValid),
            ArrowColumn.texts("detail", details, detailsValid),
            ArrowColumn.texts("message", messages, messagesValid),
            ArrowColumn.texts("payload", payloads, payloadsValid),
        ]
        return ArrowTable(columns: columns, count: count, validity: rows)
    }
}

extension ResultRows {
    private static func isFailure(_ code: UInt8) -> Bool { code != SKV_VERIFIED && code != null }

    /// A bit for each row, by its code.
    private func bits(_ isSet: (UInt8) -> Bool) -> Bitmap {
        var bits = Bitmap()
        codes.withSpan { codes in
            for row in codes.indices { bits.append(isSet(codes[row])) }
        }
        return bits
    }

    /// A path of a member is never empty, so its length says whether there is one.
    private func membersPresent() -> Bitmap {
        var bits = Bitmap()
        members.offsets.withSpan { offsets in
            for row in 0..<codes.count { bits.append(offsets[row + 1] > offsets[row]) }
        }
        return bits
    }
}

extension TextRows {
    /// Appends a constant text that ends in a NUL.
    fileprivate mutating func append(constant text: UnsafePointer<CChar>?) {
        guard var next = unsafe text else { return }
        while unsafe next.pointee != 0 {
            unsafe bytes.append(UInt8(bitPattern: next.pointee))
            unsafe next += 1
        }
    }
}
