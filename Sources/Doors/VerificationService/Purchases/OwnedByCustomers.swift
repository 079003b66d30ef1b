#if Service
    internal import PayloadOutput
    internal import PurchaseDatabase
    internal import StoreKitVerify

    /// The entitlements of payloads' customers, once the payloads are kept.
    struct OwnedByCustomers {
        /// Whom an answer is about: a name, and the apps that count.
        private struct Subject: Hashable {
            let name: Customer.Name
            let selection: AppSelection
        }

        private let scope: CustomerQuestions.Scope
        /// The customer whom the request names.
        private let customer: Customer.Name?
        /// In the order of the payloads.
        private var subjects: [Subject] = []
        private var owned: [Subject: CustomerEntitlements] = [:]
        /// The first subject of each name. Renewal information names no app, and follows its transaction.
        private var first: [Customer.Name: Subject] = [:]
        private var withoutApp: [Customer.Name] = []

        init(_ scope: CustomerQuestions.Scope, _ customer: Customer.Name?) {
            (self.scope, self.customer) = (scope, customer)
        }

        /// Adds the customer of a payload's value.
        mutating func note(_ value: PurchaseValue) {
            guard let name = name(of: value) else { return }
            guard let subject = subject(of: value, name) else {
                withoutApp.append(name)
                return
            }
            guard owned[subject] == nil, !subjects.contains(subject) else { return }
            subjects.append(subject)
            first[name] = first[name] ?? subject
        }

        /// The name to ask for: the one that the request gives, or else the payload's widest.
        private func name(of value: PurchaseValue) -> Customer.Name? { customer ?? value.customers.widest }

        /// The app of the request counts, or else the payload's; `nil` if neither is known.
        private func subject(of value: PurchaseValue, _ name: Customer.Name) -> Subject? {
            if scope.selection.bundleID != nil { return Subject(name: name, selection: scope.selection) }
            guard let bundleID = value.bundleID, let environment = scope.selection.environment else {
                return nil
            }
            return Subject(name: name, selection: .app(bundleID, in: environment))
        }

        /// Reads each customer's entitlements.
        ///
        /// - Throws: `SQLiteStoreError` if the file cannot be read.
        mutating func answers() async throws(SQLiteStoreError) -> [CustomerEntitlements] {
            for name in withoutApp where first[name] == nil {
                let subject = Subject(name: name, selection: scope.selection)
                subjects.append(subject)
                first[name] = subject
            }
            var answers: [CustomerEntitlements] = []
            for subject in subjects {
                let wider = try await scope.history(of: Customer([subject.name]))
                let answer = CustomerEntitlements(
                    of: [subject.name], in: wider, subject.selection, at: scope.instant)
                owned[subject] = answer
                answers.append(answer)
            }
            return answers
        }

        /// Whether a kept payload counts in the answers, and why not. A tester who buys in the sandbox must not be puzzled.
        func standing(of payload: ReadyPayload) -> (counts: Bool?, note: String?) {
            guard let value = payload.values.first else {
                return (nil, "It says nothing about a purchase, so nothing of it is kept.")
            }
            guard let name = name(of: value), let subject = subject(of: value, name) ?? first[name] else {
                return (nil, nil)
            }
            if owned[subject]?.history.has(value) == true { return (true, nil) }
            return (false, Self.note(value, subject.selection))
        }

        private static func note(_ value: PurchaseValue, _ selection: AppSelection) -> String? {
            let own = value.environment
            if let environment = selection.environment, own != environment, !own.rawValue.isEmpty {
                return
                    "It is kept. It is of the environment \(own.rawValue), so it does not count in this answer, which is about \(environment.rawValue); ask with ?environment=\(own.rawValue)."
            }
            if let app = value.bundleID, let wanted = selection.bundleID, app != wanted {
                return
                    "It is kept. It is of the app \(app), so it does not count in this answer, which is about \(wanted); ask with ?bundleId=\(app)."
            }
            guard case .renewalInfo = value else { return nil }
            return "It is kept, and counts when there is a transaction of its purchase, too."
        }
    }
#endif
