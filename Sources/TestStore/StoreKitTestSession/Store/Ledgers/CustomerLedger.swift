/// The customers of a simulated App Store.
///
/// Between two changes, this holds:
/// - The numbers of the downloads follow each other in the order of the places, so that a number leads to its customer.
package struct CustomerLedger: Sendable {
    private var records = GrowingList<CustomerRecord>()
    /// The number of the first customer's download.
    private let firstDownload: UInt64

    init(firstDownload: UInt64) { self.firstDownload = firstDownload }

    /// The places of all customers, oldest first.
    package var places: some RandomAccessCollection<CustomerPlace> { records.places }

    package internal(set) subscript(customer: CustomerPlace) -> CustomerRecord {
        get { records[customer] }
        _modify { yield &records[customer] }
    }

    /// The customer with a number of the download; `nil` if there is none.
    package func place(ofDownload number: UInt64) -> CustomerPlace? { records.place(number &- firstDownload) }

    /// Adds a customer, who gets the app at a time.
    mutating func add(in region: Region, at time: Int, paymentsFail: Bool) -> CustomerPlace {
        records.append(
            CustomerRecord(
                appTransactionID: firstDownload + UInt64(records.end.number), region: region,
                downloadDate: time, paymentsFail: paymentsFail))
    }

    /// The first invariant that does not hold; `nil` if all hold.
    package func violation() -> String? {
        places.first { place(ofDownload: self[$0].appTransactionID) != $0 }
            .map { "the download \(self[$0].appTransactionID) leads to another customer" }
    }
}

/// A customer of the simulated App Store. Times are in milliseconds since 1970.
package struct CustomerRecord: Sendable {
    /// The number of the download, which all of the customer's payloads name.
    package let appTransactionID: UInt64
    package var region: Region
    /// When the customer got the app.
    let downloadDate: Int
    /// Whether payments of renewals fail.
    var paymentsFail = false
    /// Whether purchases fail, too.
    var purchasesFail = false
}
