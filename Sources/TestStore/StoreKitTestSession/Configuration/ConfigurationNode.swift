internal import Essentials
internal import WireFormats

/// A value of a `.storekit` file, with its place. A value that cannot be read is an error that names the place.
struct ConfigurationNode {
    let tree: JSONTree
    let path: String

    func error(_ reason: String) -> StoreKitConfigurationError { StoreKitConfigurationError(path, reason) }

    /// A member of an object; `nil` if it is absent or null.
    func member(_ name: String) throws(StoreKitConfigurationError) -> ConfigurationNode? {
        guard case .object = tree else { throw error("expected an object, found \(tree.kind)") }
        guard let value = tree[name], value != .null else { return nil }
        return ConfigurationNode(tree: value, path: path.isEmpty ? name : "\(path).\(name)")
    }

    /// A member that must be there.
    func required(_ name: String) throws(StoreKitConfigurationError) -> ConfigurationNode {
        guard let node = try member(name) else { throw error("it has no \"\(name)\"") }
        return node
    }

    /// The elements of a list; empty if the member is absent.
    func list(_ name: String) throws(StoreKitConfigurationError) -> [ConfigurationNode] {
        guard let node = try member(name) else { return [] }
        guard case .array(let elements) = node.tree else {
            throw node.error("expected a list, found \(node.tree.kind)")
        }
        return elements.enumerated().map {
            ConfigurationNode(tree: $0.element, path: "\(node.path)[\($0.offset)]")
        }
    }

    /// The values of a list that can be read one by one.
    func list<Value>(
        _ name: String,
        _ read: (ConfigurationNode) throws(StoreKitConfigurationError) -> Value
    ) throws(StoreKitConfigurationError) -> [Value] {
        var values: [Value] = []
        for node in try list(name) { values.append(try read(node)) }
        return values
    }

    func string() throws(StoreKitConfigurationError) -> String {
        guard case .string(let text) = tree else { throw error("expected a string, found \(tree.kind)") }
        return text
    }

    func string(_ name: String) throws(StoreKitConfigurationError) -> String? { try member(name)?.string() }

    func bool(_ name: String) throws(StoreKitConfigurationError) -> Bool? {
        guard let node = try member(name) else { return nil }
        guard case .bool(let value) = node.tree else {
            throw node.error("expected true or false, found \(node.tree.kind)")
        }
        return value
    }

    func integer() throws(StoreKitConfigurationError) -> Int {
        guard case .number(let digits) = tree, let value = Int(digits) else {
            throw error("expected a whole number, found \(tree.kind)")
        }
        return value
    }

    func integer(_ name: String) throws(StoreKitConfigurationError) -> Int? { try member(name)?.integer() }

    /// A price, as a string or a number. An empty string means that no price was set; that is `nil` too.
    func price(_ name: String) throws(StoreKitConfigurationError) -> Decimal? {
        guard let node = try member(name) else { return nil }
        var text = ""
        if case .number(let digits) = node.tree { text = digits } else { text = try node.string() }
        let written = text.filter { $0 != " " }
        guard !written.isEmpty else { return nil }
        guard let price = Decimal(price: written) else {
            throw node.error(
                "\"\(text.abbreviated())\" is not a price: digits, with a point before the decimals")
        }
        return price
    }
}
