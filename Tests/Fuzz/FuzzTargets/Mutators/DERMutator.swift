/// Changes DER as a tree, so that the lengths around a change stay correct.
enum DERMutator {
    /// Tags that occur in certificates and receipts, and some that do not.
    private static let tags: [UInt8] = [
        0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x0c, 0x13, 0x16, 0x17, 0x18, 0x1e, 0x24, 0x30, 0x31, 0x80, 0x81,
        0x82, 0xa0, 0xa1, 0xa2, 0xa3,
    ]

    /// The elements after a change. Bytes that are not DER are changed without regard to structure.
    static func changed(_ bytes: [UInt8], _ tools: inout MutationTools) -> [UInt8] {
        guard !tools.oneIn(6), var elements = DERTree.elements(bytes[...], opensStrings: true),
            !elements.isEmpty
        else { return tools.havoc(bytes) }
        let place = tools.below(elements.count)
        change(&elements[place], &tools)
        return Array(elements.flatMap(\.encoded).prefix(tools.maximumBytes))
    }

    /// Changes one element, or something inside it.
    static func change(_ tree: inout DERTree, _ tools: inout MutationTools) {
        let donor = element(tools.below(tree.count), of: tree)
        var target = tools.below(tree.count)
        change(&tree, &target, donor, &tools)
    }

    /// The element with this number, counted from the outermost one.
    private static func element(_ number: Int, of tree: DERTree) -> DERTree {
        var left = number
        guard left > 0 else { return tree }
        left -= 1
        for child in tree.children {
            let count = child.count
            if left < count { return element(left, of: child) }
            left -= count
        }
        return tree
    }

    private static func change(
        _ tree: inout DERTree, _ target: inout Int, _ donor: DERTree, _ tools: inout MutationTools
    ) {
        guard target > 0 else { return changeHere(&tree, donor, &tools) }
        target -= 1
        for index in tree.children.indices {
            let count = tree.children[index].count
            if target < count { return change(&tree.children[index], &target, donor, &tools) }
            target -= count
        }
    }

    private static func changeHere(
        _ tree: inout DERTree, _ donor: DERTree, _ tools: inout MutationTools
    ) {
        switch tools.below(9) {
        case 0: tree.tag = tools.pick(tags) ?? 0
        case 1: tree = donor
        case 2: tree.children.append(donor)
        case 3: if !tree.children.isEmpty { tree.children.remove(at: tools.below(tree.children.count)) }
        case 4:
            guard let child = tree.children.randomElement(using: &tools.random) else { break }
            tree.children.insert(child, at: tools.below(tree.children.count))
        case 5:
            let count = tree.children.count
            if count > 1 { tree.children.swapAt(tools.below(count), tools.below(count)) }
        case 6: tree.content = .raw(unusual(tree.encoded, &tools))
        default:
            if case .primitive(let bytes) = tree.content { tree.content = .primitive(tools.havoc(bytes)) }
        }
    }

    /// The element with a length that is not valid DER.
    private static func unusual(_ element: [UInt8], _ tools: inout MutationTools) -> [UInt8] {
        guard element.count >= 2, element[1] < 0x80 else { return element + [0] }
        switch tools.below(3) {
        case 0: return [element[0], 0x81] + element.dropFirst()
        case 1: return [element[0], 0x80] + element.dropFirst(2) + [0, 0]
        default: return [element[0] | 0x20, 0x80] + element + [0, 0]
        }
    }
}
