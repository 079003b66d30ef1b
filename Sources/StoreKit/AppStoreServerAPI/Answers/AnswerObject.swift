#if ServerAPI
    public import SignedPayloads
    internal import StoreKitVerify
    internal import WireFormats
    internal import Essentials

    /// Why an answer has no value.
    enum AnswerError: Error {
        /// The body is not one JSON object.
        case notJSON(JSONError)
        /// A member is not there.
        case missing(String)
        /// A member has another type than Apple documents.
        case wrong(String, expected: String, found: String)
        /// A signed member was refused, and StoreKit has no unverified value for the reason.
        case refused(String, PayloadError)
    }

    /// A signed member of a list that was refused, and has no value. The list has its other members all the same.
    public struct RefusedPayload: Error, Sendable {
        /// Where it stands in the answer: `signedTransactions[3]`.
        public let place: String
        /// The text, as the server sent it.
        public let jwsRepresentation: String
        /// Why it was refused.
        public let error: PayloadError
    }

    extension AnswerError {
        /// The refusal of a signed member.
        ///
        /// - Throws: any other error.
        fileprivate func refusedPayload(_ token: String) throws(AnswerError) -> RefusedPayload {
            guard case .refused(let place, let error) = self else { throw self }
            return RefusedPayload(place: place, jwsRepresentation: token, error: error)
        }
    }

    /// A JSON object of an answer. Members that are not asked for are left alone.
    struct AnswerObject {
        private let tree: JSONTree
        /// Where the object stands in the answer, for messages.
        private let place: String
        /// Verifies the signed members.
        private let verifier: StoreKitVerifier

        init(_ body: [UInt8], _ verifier: StoreKitVerifier) throws(AnswerError) {
            do throws(JSONError) {
                tree = .object(try JSONTree.members(of: body.span))
            } catch {
                throw .notJSON(error)
            }
            (place, self.verifier) = ("", verifier)
        }

        private init(_ tree: JSONTree, _ place: String, _ verifier: StoreKitVerifier) {
            (self.tree, self.place, self.verifier) = (tree, place, verifier)
        }

        /// A member; `nil` if it is absent or null.
        private func present(_ name: String) -> JSONTree? {
            let value = tree[name]
            return value == .null ? nil : value
        }

        private func value<Value>(
            _ name: String, _ expected: String, _ read: (JSONTree) -> Value?
        ) throws(AnswerError) -> Value? {
            guard let found = present(name) else { return nil }
            guard let value = read(found) else {
                throw .wrong(place + name, expected: expected, found: found.kind)
            }
            return value
        }

        private func required<Value>(_ name: String, _ value: Value?) throws(AnswerError) -> Value {
            guard let value else { throw .missing(place + name) }
            return value
        }

        // MARK: - Members that may be absent

        func optionalText(_ name: String) throws(AnswerError) -> String? {
            try value(name, "a string") { $0.stringValue }
        }

        func optionalNumber(_ name: String) throws(AnswerError) -> Int? {
            try value(name, "a whole number") { $0.wholeNumber }
        }

        func optionalBool(_ name: String) throws(AnswerError) -> Bool? {
            try value(name, "true or false") { if case .bool(let value) = $0 { value } else { nil } }
        }

        /// A number with all its digits.
        func optionalDecimal(_ name: String) throws(AnswerError) -> Decimal? {
            try value(name, "a number") {
                if case .number(let digits) = $0 { Decimal(string: digits) } else { nil }
            }
        }

        /// Milliseconds since 1970.
        func optionalDate(_ name: String) throws(AnswerError) -> Date? {
            try optionalNumber(name).map { Date(timeIntervalSince1970: Double($0) / 1000) }
        }

        func optionalSigned<Value: SignedValue>(
            _ name: String, as type: Value.Type = Value.self
        ) throws(AnswerError) -> VerificationResult<Value>? {
            guard let token = try optionalText(name) else { return nil }
            return try verified(token, place + name)
        }

        // MARK: - Members that must be there

        func text(_ name: String) throws(AnswerError) -> String { try required(name, optionalText(name)) }

        func number(_ name: String) throws(AnswerError) -> Int { try required(name, optionalNumber(name)) }

        func bool(_ name: String) throws(AnswerError) -> Bool { try required(name, optionalBool(name)) }

        func date(_ name: String) throws(AnswerError) -> Date { try required(name, optionalDate(name)) }

        func uuid(_ name: String) throws(AnswerError) -> UUID {
            try required(name, value(name, "a UUID") { $0.stringValue.flatMap { UUID(canonicalForm: $0) } })
        }

        func signed<Value: SignedValue>(
            _ name: String, as type: Value.Type = Value.self
        ) throws(AnswerError) -> VerificationResult<Value> { try required(name, optionalSigned(name)) }

        func object(_ name: String) throws(AnswerError) -> AnswerObject {
            let tree = try required(name, value(name, "an object") { $0.members == nil ? nil : $0 })
            return AnswerObject(tree, place + name + ".", verifier)
        }

        // MARK: - Members at any depth

        /// The texts of all members with these names, in the order of the answer. A member can be a text or an array of texts.
        func texts(of names: Set<String>) throws(AnswerError) -> [String] {
            var texts: [String] = []
            try Self.add(tree, place, names, to: &texts)
            return texts
        }

        private static func add(
            _ tree: JSONTree, _ place: String, _ names: Set<String>, to texts: inout [String]
        ) throws(AnswerError) {
            for element in tree.elements ?? [] { try add(element, place, names, to: &texts) }
            for member in tree.members ?? [] {
                guard names.contains(member.name) else {
                    try add(member.value, place + member.name + ".", names, to: &texts)
                    continue
                }
                for value in member.value.elements ?? [member.value] where value != .null {
                    guard let text = value.stringValue else {
                        throw .wrong(place + member.name, expected: "a string", found: value.kind)
                    }
                    texts.append(text)
                }
            }
        }

        // MARK: - Arrays; an absent one is empty

        private func elements(_ name: String) throws(AnswerError) -> [JSONTree] {
            try value(name, "an array") { $0.elements } ?? []
        }

        func objects<Value>(
            _ name: String, _ read: (AnswerObject) throws(AnswerError) -> Value
        ) throws(AnswerError) -> [Value] {
            var values: [Value] = []
            for (index, element) in try elements(name).enumerated() {
                let place = "\(place)\(name)[\(index)]"
                guard element.members != nil else {
                    throw .wrong(place, expected: "an object", found: element.kind)
                }
                values.append(try read(AnswerObject(element, place + ".", verifier)))
            }
            return values
        }

        func texts(_ name: String) throws(AnswerError) -> [String] {
            var values: [String] = []
            for (index, element) in try elements(name).enumerated() {
                guard let text = element.stringValue else {
                    throw .wrong("\(place)\(name)[\(index)]", expected: "a string", found: element.kind)
                }
                values.append(text)
            }
            return values
        }

        func uuids(_ name: String) throws(AnswerError) -> [UUID] {
            var values: [UUID] = []
            for (index, text) in try texts(name).enumerated() {
                guard let uuid = UUID(canonicalForm: text) else {
                    throw .wrong("\(place)\(name)[\(index)]", expected: "a UUID", found: "another string")
                }
                values.append(uuid)
            }
            return values
        }

        func signedValues<Value: SignedValue>(
            _ name: String, as type: Value.Type = Value.self, refusals: inout [RefusedPayload]
        ) throws(AnswerError) -> [VerificationResult<Value>] {
            var values: [VerificationResult<Value>] = []
            for (index, token) in try texts(name).enumerated() {
                do throws(AnswerError) {
                    values.append(try verified(token, "\(place)\(name)[\(index)]"))
                } catch {
                    refusals.append(try error.refusedPayload(token))
                }
            }
            return values
        }

        /// Objects with a signed member. Those whose signed member is refused are left out.
        func objects<Value>(
            _ name: String, signed member: String, refusals: inout [RefusedPayload],
            _ read: (AnswerObject) throws(AnswerError) -> Value
        ) throws(AnswerError) -> [Value] {
            try objects(name) { (object) throws(AnswerError) -> Result<Value, RefusedPayload> in
                do throws(AnswerError) {
                    return .success(try read(object))
                } catch {
                    return .failure(try error.refusedPayload(object.text(member)))
                }
            }.compactMap { result in
                switch result {
                case .success(let value): return value
                case .failure(let refusal):
                    refusals.append(refusal)
                    return nil
                }
            }
        }

        /// The members of an object whose values are whole numbers.
        func numbers(_ name: String) throws(AnswerError) -> [String: Int] {
            guard let members = try value(name, "an object", { $0.members }) else { return [:] }
            var numbers: [String: Int] = [:]
            for member in members { numbers[member.name] = member.value.wholeNumber }
            return numbers
        }

        private func verified<Value: SignedValue>(
            _ token: String, _ place: String
        ) throws(AnswerError) -> VerificationResult<Value> {
            do throws(PayloadError) {
                return try verifier.verify(token)
            } catch {
                throw .refused(place, error)
            }
        }
    }
#endif
