import PayloadOutput
import SignedPayloads
import StoreKitVerify
import Testing
import WireFormats

/// The members that columns are made of: a misspelt one would leave its column null for ever.
@Suite struct RowSourceTests {
    private static let forms: [Substring: PayloadForm] = [
        "the transaction": Transaction.form,
        "the transaction's `commitmentInfo`": Transaction.CommitmentInfo.form,
        "the renewal information": Product.SubscriptionInfo.RenewalInfo.form,
        "the renewal information's `commitmentInfo`": Product.SubscriptionInfo.RenewalInfo.CommitmentInfo
            .form,
        "the app transaction": AppTransaction.form, "the realtime request": RealtimeRequest.form,
        "the notification": ServerNotification.form, "the notification's `data`": NotificationData.form,
        "the notification's `summary`": NotificationSummary.form,
        "the notification's `externalPurchaseToken`": ExternalPurchaseToken.form,
        "the notification's `appData`": NotificationAppData.form,
        "the notification's `unclaimInfo`": NotificationUnclaimInfo.form,
        "the transaction's `multiSeatInfo`": Transaction.MultiSeatInfo.form,
        "the renewal information's `multiSeatInfo`": Product.SubscriptionInfo.RenewalInfo.MultiSeatInfo.form,
    ]

    @Test func everyColumnReadsAMemberOfItsType() throws {
        for column in RowColumn.all {
            for origin in column.origins where !origin.hasSuffix("of the app receipt") {
                let match = try #require(origin.wholeMatch(of: /`(\w+)` of (.*)/), "\(origin)")
                let form = try #require(Self.forms[match.output.2], "\(origin)")
                #expect(form.rule(of: String(match.output.1)) != nil, "\(column.name): \(origin)")
            }
        }
    }

    @Test func aSetHasABitForEveryColumn() { #expect(RowColumn.all.count <= 128) }
}

/// The forms are made of the initializers that read them.
@Suite struct PayloadFormTests {
    @Test(arguments: [
        (Transaction.form, ["transactionId", "offerType", "storefrontId", "deviceVerificationNonce"]),
        (AppTransaction.form, ["requestDate", "receiptCreationDate"]),
        (NotificationData.form, ["signedTransactionInfo", "consumptionRequestReason", "status"]),
        (ServerNotification.form, ["data", "appData", "version"]),
    ])
    func aFormHasEveryMemberThatItsTypeReads(_ form: PayloadForm, _ members: [String]) {
        for member in members { #expect(form.rule(of: member) != nil, "\(form.type): \(member)") }
        #expect(form.rule(of: "another") == nil)
    }

    @Test func everyKindHasTheFormOfItsType() {
        for kind in [
            SignedPayloadKind.transaction, .renewalInfo, .appTransaction, .notification, .realtimeRequest,
        ] {
            #expect((kind.form?.rows.count ?? 0) >= 5, "\(kind)")
        }
        #expect(SignedPayloadKind.receipt.form == nil && SignedPayloadKind.unknown.form == nil)
    }
}
