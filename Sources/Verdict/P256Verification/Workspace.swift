/// The working memory for verifying batches, kept from one batch to the next.
struct Workspace: ~Copyable {
    /// The indices of signatures that are verified together, and flags for those already done.
    var places: [Int] = []
    var isDone: [Bool] = []
    /// Copies of those signatures, contiguous, for the vector kernels.
    var digests: [UInt8] = []
    var signatures: [UInt8] = []
    var keys: [P256KeyTable] = []
    var portable: PortableEngine
    var vector: VectorKernel.Workspace

    init(capacity: Int) {
        places.reserveCapacity(capacity)
        isDone.reserveCapacity(capacity)
        digests.reserveCapacity(capacity * 32)
        signatures.reserveCapacity(capacity * 64)
        keys.reserveCapacity(capacity)
        portable = PortableEngine(capacity: capacity)
        vector = VectorKernel.Workspace(capacity: capacity)
    }
}

extension P256Batch {
    /// Verifies all signatures. Those whose keys' tables have the same window width are verified together.
    mutating func verify(_ arithmetic: P256Verifier.Arithmetic, generator: P256KeyTable) {
        workspace.isDone.removeAll(keepingCapacity: true)
        workspace.isDone.append(contentsOf: repeatElement(false, count: count))
        for start in 0..<count where !workspace.isDone[start] {
            let width = keys[start].windowBits
            workspace.places.removeAll(keepingCapacity: true)
            for place in start..<count where !workspace.isDone[place] && keys[place].windowBits == width {
                workspace.places.append(place)
                workspace.isDone[place] = true
            }
            verifyPlaces(arithmetic, generator: generator)
        }
    }

    private mutating func verifyPlaces(_ arithmetic: P256Verifier.Arithmetic, generator: P256KeyTable) {
        if workspace.places.count >= arithmetic.leastForVectors,
            verifyPlacesOnVectors(arithmetic, generator: generator)
        {
            return
        }
        workspace.portable.verify(
            workspace.places, digests: digests, signatures: signatures, keys: keys, generator: generator,
            verdicts: &verdicts)
    }

    /// - Returns: false if the kernel has verified nothing.
    private mutating func verifyPlacesOnVectors(
        _ arithmetic: P256Verifier.Arithmetic, generator: P256KeyTable
    ) -> Bool {
        let isWhole = workspace.places.count == count
        if !isWhole { gatherPlaces() }
        let isTaken = workspace.vector.verify(
            arithmetic, digests: isWhole ? digests : workspace.digests,
            signatures: isWhole ? signatures : workspace.signatures, keys: isWhole ? keys : workspace.keys,
            generator: generator)
        guard isTaken else { return false }
        for (number, place) in workspace.places.enumerated() {
            switch VectorKernel.Verdict(rawValue: workspace.vector.verdicts[number]) {
            case .valid: verdicts[place] = true
            case .invalid: verdicts[place] = false
            case .undecided, nil: verdicts[place] = isValidAlone(place, generator: generator)
            }
        }
        return true
    }

    private mutating func gatherPlaces() {
        workspace.digests.removeAll(keepingCapacity: true)
        workspace.signatures.removeAll(keepingCapacity: true)
        workspace.keys.removeAll(keepingCapacity: true)
        for place in workspace.places {
            workspace.digests.append(contentsOf: digests[place * 32..<place * 32 + 32])
            workspace.signatures.append(contentsOf: signatures[place * 64..<place * 64 + 64])
            workspace.keys.append(keys[place])
        }
    }

    private func isValidAlone(_ place: Int, generator: P256KeyTable) -> Bool {
        guard
            let equation = SignatureEquation(signatures: signatures.span, digests: digests.span, at: place)
        else { return false }
        return equation.holds(generator: generator, key: keys[place])
    }
}
