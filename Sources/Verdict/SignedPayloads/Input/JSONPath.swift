internal import WireFormats

/// The path to the present value of a JSON text, as messages write it, such as
/// `data[0].lastTransactions[1].signedTransactionInfo`.
///
/// The text of the path to the innermost array or object is kept, as far as messages show it. So each step is written once,
/// and not again for each token below it.
struct JSONPath: Sendable {
    /// A place in an open array or object.
    enum Step: Sendable {
        case name(String)
        case index(Int)
    }

    /// How much of a name, and of a path, is kept. The documented ones are shorter.
    private static let maximumCharacters = (name: 64, path: 256)

    private var steps: [Step] = []
    /// The text of the first steps, and how long it is behind each of them.
    private var text: [UInt8] = []
    private var ends: [(bytes: Int, characters: Int)] = []
    /// How many steps were written until now, for tests.
    private(set) var writtenSteps = 0

    /// The present step; `nil` for a value that no array or object has around it.
    var last: Step? { steps.last }
    /// The step around the present one.
    var parent: Step? { steps.dropLast().last }

    mutating func open(_ step: Step) { steps.append(step) }

    mutating func close() {
        steps.removeLast()
        // The step that is the present one now may change.
        let fixed = max(steps.count - 1, 0)
        guard ends.count > fixed else { return }
        ends.removeLast(ends.count - fixed)
        text.removeLast(text.count - (ends.last?.bytes ?? 0))
    }

    /// Moves to a member of the innermost object.
    mutating func move(toName name: String) {
        guard !steps.isEmpty else { return }
        steps[steps.count - 1] = .name(name.abbreviated(to: Self.maximumCharacters.name))
    }

    /// Moves to the next element, if the innermost container is an array.
    mutating func moveToNextElement() {
        if case .index(let index)? = steps.last { steps[steps.count - 1] = .index(index + 1) }
    }

    /// The path in text; `nil` for a value that no array or object has around it.
    mutating func written() -> String? {
        guard let last = steps.last else { return nil }
        for step in steps[ends.count..<steps.count - 1] {
            var characters = ends.last?.characters ?? 0
            if characters <= Self.maximumCharacters.path {
                let written = Self.text(of: step, isFirst: text.isEmpty)
                text += written.utf8
                characters += written.unicodeScalars.count
                writtenSteps += 1
            }
            ends.append((text.count, characters))
        }
        let path = String(decoding: text, as: UTF8.self) + Self.text(of: last, isFirst: text.isEmpty)
        return path.abbreviated(to: Self.maximumCharacters.path)
    }

    private static func text(of step: Step, isFirst: Bool) -> String {
        switch step {
        case .name(let name): isFirst ? name : ".\(name)"
        case .index(let index): "[\(index)]"
        }
    }
}
