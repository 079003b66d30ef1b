/// The members that payloads got in the course of the years.
extension Simulation {
    /// Members that came together, by the year from whose beginning the payloads of `set payloads then` have them. Apple's
    /// changelog of the App Store Server API has the days; here a year is exact enough.
    enum MemberAge: Int {
        case environment = 2022
        /// With the reason of the transaction and the renewal date.
        case storefront = 2023
        /// With the payment mode of offers.
        case price = 2024
        /// With the length of offers and the token of renewal information.
        case download = 2025

        /// When it begins, in milliseconds since 1970. Since 1972, each fourth year has had a day more.
        var start: Int { ((rawValue - 1970) * 365 + (rawValue - 1969) / 4) * 86_400_000 }
    }

    /// The value of a member; `nil` in a payload that is signed before it came.
    func since<Value>(_ age: MemberAge, _ value: Value?) -> Value? {
        settings.signsAsThen && signingDate < age.start ? nil : value
    }
}
