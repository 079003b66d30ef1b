import ArgumentParser
import Foundation
import SeededRandom
import StoreKitTestSession

/// The options that spoil what is sent.
///
/// They concern notifications alone. Transactions stay as they are: no network stands between an app and its receipts.
struct FaultOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Send so many of a hundred notifications twice.", valueName: "percent"))
    var duplicates = 0

    @Option(
        help: ArgumentHelp("Send so many of a hundred notifications after later ones.", valueName: "percent"))
    var disorder = 0

    @Option(help: ArgumentHelp("Spoil so many of a hundred signatures.", valueName: "percent"))
    var broken = 0

    /// The three shares are drawn one by one, so they need not add up to at most 100.
    func validate() throws {
        guard [duplicates, disorder, broken].allSatisfy((0...100).contains) else {
            throw ValidationError("A percentage is from 0 to 100.")
        }
    }
}

/// Spoils notifications as networks and attackers do. One seed always gives the same faults.
struct Faults {
    private let options: FaultOptions
    private var random: SplitMix64
    /// The notifications that are sent after their turn, and how many others are sent before each.
    ///
    /// Each fault holds a notification back for at most 20 others, so the list stays short.
    private var held: [(item: SignedOutput, others: Int)] = []

    init(_ options: FaultOptions, seed: UInt64) {
        self.options = options
        // Another stream than that of the scenario, which has the seed itself: "faults" in ASCII.
        random = SplitMix64(seed: seed ^ 0x6661_756c_7473)
    }

    /// The payloads that are sent instead of these.
    ///
    /// - Parameter output: what was signed, in its order. Only notifications are changed.
    mutating func apply(to output: [SignedOutput]) -> [SignedOutput] {
        // Without faults the signed order is passed on, and no random number is drawn.
        guard options.duplicates + options.disorder + options.broken > 0 else { return output }
        return output.flatMap { apply(to: $0) }
    }

    /// The notifications that are left to be sent at the end.
    ///
    /// A scenario ends without 20 more notifications, so the commands write these last.
    mutating func rest() -> [SignedOutput] {
        defer { held = [] }
        return held.map(\.item)
    }

    /// The lots are drawn in a fixed order: broken, twice, late. A seed therefore gives the same faults in
    /// every version.
    private mutating func apply(to item: SignedOutput) -> [SignedOutput] {
        guard case .notification(let notification) = item else { return [item] }
        let item = chance(options.broken) ? .notification(notification.broken) : item
        // The repetition comes up to 20 notifications later, as after a lost answer.
        if chance(options.duplicates) { held.append((item, Int.random(in: 0...20, using: &random))) }
        guard !chance(options.disorder) else {
            held.append((item, Int.random(in: 1...20, using: &random)))
            return []
        }
        // Only a notification that is sent in its turn lets the held ones come nearer.
        var sent = [item]
        for index in held.indices { held[index].others -= 1 }
        sent += held.filter { $0.others < 0 }.map(\.item)
        held.removeAll { $0.others < 0 }
        return sent
    }

    /// Decides by lot. Nothing is drawn for 0 percent, so that one fault does not move the others.
    private mutating func chance(_ percent: Int) -> Bool {
        percent > 0 && Int.random(in: 0..<100, using: &random) < percent
    }
}

extension TestNotification {
    /// The notification with a signature whose first character is changed.
    ///
    /// The first character holds six bits of `r`, so the change always gives other bytes.
    fileprivate var broken: TestNotification {
        guard let dot = signedPayload.lastIndex(of: ".") else { return self }
        var token = signedPayload
        let first = token.index(after: dot)
        let other: Character = token[first] == "A" ? "B" : "A"
        token.replaceSubrange(first...first, with: [other])
        return replacing(signedPayload: token)
    }
}
