public import Essentials
internal import Libcrypto
package import Platform

/// A key for signatures that the App Store verifies: an In-App Purchase key of App Store Connect.
///
/// It is the private key of a `.p8` file, or a function that has a hardware security module sign. A private key is on
/// the curve P-256. It is neither printed nor copied, and its memory is overwritten when the last copy of this value is
/// gone.
public struct SigningKey: Sendable {
    /// How an ECDSA signature is written. A function that signs elsewhere says which form it returns.
    public enum SignatureForm: Hashable, Sendable {
        /// The numbers r and s, 32 bytes each, as in a JWS (RFC 7518, section 3.4). PKCS #11 returns this.
        case raw
        /// DER (RFC 3279, section 2.2.3). Most key management services return this.
        case der
    }

    /// The owner of the private key, which cannot be copied itself.
    private final class Local: Sendable {
        let key: PrivateKey

        init(_ key: consuming PrivateKey) { self.key = key }
    }

    private enum Source: Sendable {
        case local(Local)
        case elsewhere(SignatureForm, @Sendable (_ digest: Data) throws -> Data)
    }

    private let source: Source

    /// Takes a private key from the text of a `.p8` file.
    ///
    /// The copies that are made of the text are overwritten; the text is the caller's.
    ///
    /// - Parameter pem: PKCS #8 (RFC 5958) in PEM, as App Store Connect gives it.
    /// - Throws: ``SigningKeyError/Code/unusable``, with the kind of the text.
    public init(pem: some Sequence<UInt8>) throws(SigningKeyError) {
        var text = Array(pem)
        defer { LibcryptoMemory.cleanse(&text) }
        source = .local(try Self.local(text))
    }

    /// Reads a private key from a `.p8` file.
    ///
    /// - Parameter path: the file. Only its owner may have access. The group may read a file that belongs to another
    ///   user than this process's, because service managers hand over secrets in this way.
    /// - Throws: ``SigningKeyError`` if the file cannot be read, is open to other users, or holds something else.
    public init(contentsOf path: String) throws(SigningKeyError) {
        try self.init(contentsOf: FileName(path: path))
    }

    /// Reads a private key from a file whose name need not be text.
    package init(contentsOf file: FileName) throws(SigningKeyError) {
        // One piece of memory, with room for the byte that is too many: growing would leave copies behind.
        var content = [UInt8](repeating: 0, count: PrivateKey.maximumBytes + 1)
        defer { LibcryptoMemory.cleanse(&content) }
        var count = 0
        let permissions: UInt32?
        do throws(SystemError) {
            let open = try FileDescriptor.open(file)
            while count < content.count {
                let read = try open.read(into: &content, at: count, atMost: content.count - count)
                guard read > 0 else { break }
                count += read
            }
            permissions = try open.openPermissions()
        } catch {
            throw SigningKeyError(.unreadable, error.description, path: file.text)
        }
        if let permissions {
            let octal = String(permissions, radix: 8)
            throw SigningKeyError(
                .openToOthers,
                "other users have access to this private key (permissions \(octal)): chmod 600 '\(file.text)'",
                path: file.text)
        }
        source = .local(try Self.local(content, count, path: file.text))
    }

    /// Has something else sign, such as a hardware security module.
    ///
    /// The function runs on the thread that asks for a signature, and may block it. If signing needs an `await`, sign
    /// the digest yourself: see ``UnsignedJWS/digest`` and ``UnsignedJWS/signed(with:as:)``.
    ///
    /// - Parameters:
    ///   - form: the form of the signatures that the function returns.
    ///   - sign: makes the ECDSA signature on P-256 of a SHA-256 digest, which has 32 bytes.
    public init(
        returning form: SignatureForm, sign: @escaping @Sendable (_ digest: Data) throws -> Data
    ) { source = .elsewhere(form, sign) }

    private static func local(
        _ text: [UInt8], _ count: Int? = nil, path: String? = nil
    ) throws(SigningKeyError) -> Local {
        do throws(PrivateKeyError) {
            return Local(try PrivateKey.parse(pem: text.span.extracting(0..<(count ?? text.count))))
        } catch {
            throw SigningKeyError(.unusable, error.sentence, path: path)
        }
    }

    /// The signature over SHA-256 of a text.
    func signature(of text: [UInt8], as wanted: SignatureForm) throws(RequestSigningError) -> [UInt8] {
        switch source {
        case .local(let local):
            let der: [UInt8]
            do throws(LibcryptoError) {
                der = try local.key.signature(ofSHA256: text.span)
            } catch {
                throw .failed("\(error)")
            }
            return try SignatureForm.der.convert(der, to: wanted)
        case .elsewhere(let form, let sign):
            let signature: Data
            do { signature = try sign(Data(Digest.sha256(text.span))) } catch { throw .failed("\(error)") }
            return try form.convert(Array(signature), to: wanted)
        }
    }
}

extension SigningKey.SignatureForm {
    /// The signature in another form.
    ///
    /// - Throws: ``RequestSigningError/notASignature`` if it does not have this form.
    func convert(_ signature: [UInt8], to wanted: Self) throws(RequestSigningError) -> [UInt8] {
        let (der, raw): ([UInt8]?, [UInt8]?)
        do throws(LibcryptoError) {
            raw = self == .raw ? signature : SignatureForms.raw(der: signature)
            der = try raw.flatMap { raw throws(LibcryptoError) in try SignatureForms.der(raw: raw) }
        } catch {
            throw .failed("\(error)")
        }
        guard let der, let raw else { throw .notASignature }
        return wanted == .raw ? raw : der
    }
}

extension SigningKey: CustomStringConvertible, CustomReflectable {
    /// The kind of this key, and nothing of its number.
    public var description: String {
        switch source {
        case .local: "a private key"
        case .elsewhere: "a key that signs elsewhere"
        }
    }

    /// Shows nothing, so that no debugger's or logger's dump leads to the key.
    public var customMirror: Mirror { Mirror(self, children: EmptyCollection()) }
}
