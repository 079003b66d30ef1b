public import Essentials
internal import WireFormats

/// The products and settings of a `.storekit` file, as Xcode writes it, versions 1 to 5.
///
/// Members are read by their names, whatever the file's version: files in the wild have members of later versions than
/// they name. Unknown members are kept, and written again.
public struct StoreKitConfiguration: Sendable {
    /// The version that the file names.
    public let version: (major: Int, minor: Int)
    /// All products: those that are bought once, and then the subscriptions of each group.
    public let products: [ConfiguredProduct]
    /// The subscription groups.
    public let groups: [ConfiguredGroup]
    /// The settings of the test environment.
    public let settings: ConfiguredSettings

    /// The whole file, with the members that are not read.
    private let document: JSONTree
    private let layout: JSONTree.Layout

    /// The latest version that is known.
    private static let latestVersion = 5

    /// Reads a file.
    ///
    /// - Throws: `StoreKitConfigurationError`, also if the file cannot be read.
    public init(contentsOf url: URL) throws(StoreKitConfigurationError) {
        let data: Data
        do {
            data = try Data(contentsOf: url)
        } catch {
            throw StoreKitConfigurationError("", "the file cannot be read: \(url.path)")
        }
        try self.init([UInt8](data))
    }

    /// Reads the bytes of a file.
    ///
    /// - Throws: `StoreKitConfigurationError`, with the place in the file.
    public init(_ bytes: [UInt8]) throws(StoreKitConfigurationError) {
        // Windows' editors begin a file with this mark, which JSON does not allow.
        let mark: [UInt8] = [0xef, 0xbb, 0xbf]
        let text = bytes.starts(with: mark) ? Array(bytes.dropFirst(mark.count)) : bytes
        layout = JSONTree.Layout(of: text)
        do throws(JSONError) {
            document = try JSONTree(text.span)
        } catch {
            throw StoreKitConfigurationError("", "it is not a .storekit file, which is JSON: \(error)")
        }
        let root = ConfigurationNode(tree: document, path: "")
        guard case .object = document else {
            throw root.error("it is not a .storekit file, which is a JSON object: found \(document.kind)")
        }
        version = try Self.version(root)
        let groups = try root.list("subscriptionGroups", ConfiguredGroup.init)
        self.groups = groups
        products =
            try root.list("products", ConfiguredProduct.bought)
            + root.list("nonRenewingSubscriptions", ConfiguredProduct.bought)
            + groups.flatMap(\.subscriptions)
        settings = try ConfiguredSettings(root.member("settings"))
        try checkIdentifiers(root)
    }

    /// The file again: the same members and values, in Xcode's layout.
    public var encoded: [UInt8] { document.text(layout) }

    /// A product by its identifier.
    public func product(_ identifier: String) -> ConfiguredProduct? {
        products.first { $0.id == identifier }
    }

    /// The minor version is kept and decides nothing.
    private static func version(
        _ root: ConfigurationNode
    ) throws(StoreKitConfigurationError) -> (major: Int, minor: Int) {
        let node = try root.required("version")
        let major = try node.required("major")
        let version = (major: try major.integer(), minor: try node.integer("minor") ?? 0)
        guard (1...latestVersion).contains(version.major) else {
            throw major.error(
                "version \(version.major) is not known: this tool reads versions 1 to \(latestVersion)")
        }
        return version
    }

    /// Two products of one identifier would make purchases ambiguous.
    private func checkIdentifiers(_ root: ConfigurationNode) throws(StoreKitConfigurationError) {
        var seen: [String: String] = [:]
        for product in products {
            if let first = seen[product.id] {
                throw StoreKitConfigurationError(
                    "\(product.path).productID",
                    "\"\(product.id.abbreviated())\" is the identifier of another product: \(first)")
            }
            seen[product.id] = product.path
        }
    }
}

/// A subscription group of a `.storekit` file.
public struct ConfiguredGroup: Hashable, Sendable {
    /// The group's identifier.
    public let id: String
    /// The group's name; empty if it has none.
    public let name: String
    /// The subscriptions, in the file's order.
    public let subscriptions: [ConfiguredProduct]

    init(_ node: ConfigurationNode) throws(StoreKitConfigurationError) {
        // Where a group has no identifier, its subscriptions may name it.
        var named = try node.string("id")
        if named == nil { named = try node.list("subscriptions").first?.string("subscriptionGroupID") }
        guard let id = named else { throw node.error("it has no \"id\"") }
        self.id = id
        name = try node.string("name") ?? ""
        let groupName = name
        subscriptions = try node.list("subscriptions") { (node) throws(StoreKitConfigurationError) in
            try ConfiguredProduct(node, group: (id, groupName))
        }
    }
}
