extension [Result<VerifiedPayload, PayloadError>] {
    /// Verifies some refused payloads again, by a verifier that requires less.
    ///
    /// - Parameters:
    ///   - isOpen: whether the other verifier may decide otherwise on a failure.
    ///   - verify: gives the other verdicts on the payloads at these places, in the same order.
    package mutating func decideAgain(
        where isOpen: (PayloadError) -> Bool, _ verify: (_ places: [Int]) -> Self
    ) {
        let places = indices.filter {
            if case .failure(let error) = self[$0] { isOpen(error) } else { false }
        }
        guard !places.isEmpty else { return }
        for (place, verdict) in zip(places, verify(places)) { self[place] = verdict }
    }
}
