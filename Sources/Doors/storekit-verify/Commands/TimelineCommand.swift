import ArgumentParser
import CommandSupport
import PurchaseTimelines
import SignedPayloads

/// `storekit-verify timeline [FILE ...]`: a customer's purchases as a picture.
///
/// The rules are `StoreKitVerify`'s, and the picture is `PurchaseTimelines`'.
struct TimelineCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "timeline",
        abstract: "Draw a customer's purchases over time, as SVG.",
        discussion: """
            Reads the same input as entitlements, and writes one picture: periods, trials and offers, grace and \
            billing retry, refunds, changes of the product and of the price, and a line for the instant. It \
            agrees with entitlements at every instant. It needs no other file, fits light and dark pages, and \
            says everything in words too.

            It shows the latest 500 transactions of the latest 40 purchases, within 20 years before the \
            instant and 5 after it, and says how many it leaves out.

              storekit-verify timeline --database FILE --customer ID > timeline.svg

            \(PurchaseOptions.exitStatuses)
            """)

    @OptionGroup var purchases: PurchaseOptions

    func run() throws {
        try purchases.run { history, _, instant in
            let timeline = PurchaseTimeline(of: history, at: instant)
            try StandardOutput.write(TimelineChart(timeline, of: purchases.customer).text)
        }
    }
}
