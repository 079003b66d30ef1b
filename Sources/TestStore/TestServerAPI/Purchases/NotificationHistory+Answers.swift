public import Essentials
public import StoreKitTestSession
internal import WireFormats

extension NotificationHistory.Entry {
    /// The members that answers have about a notification.
    var object: ObjectText {
        var object = ObjectText()
        object.add("signedPayload", notification.signedPayload)
        object.add(
            "sendAttempts",
            all: attempts.map { attempt in
                var object = ObjectText()
                object.add("attemptDate", attempt.date.milliseconds)
                object.add("sendAttemptResult", attempt.result.rawValue)
                return object
            })
        object.add("firstSendAttemptResult", attempts.first?.result.rawValue)
        return object
    }
}

extension TestAppStoreAPI {
    /// Keeps an attempt to deliver a notification, for the notification history and the status of test notifications.
    ///
    /// - Parameters:
    ///   - attempt: the attempt.
    ///   - notification: the notification's identifier; an unknown one changes nothing.
    public func record(_ attempt: NotificationAttempt, of notification: UUID) {
        appStore.change { $0.output.add(attempt, to: notification) }
    }
}
