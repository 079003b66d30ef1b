/// Sets that are united, with their numbers in order from 0.
package struct DisjointSets {
    private var parents: [Int] = []

    /// Sets with the numbers from 0, each by itself.
    package init(_ count: Int = 0) { parents = Array(0..<count) }

    /// Adds a set, and returns its number.
    package mutating func addSet() -> Int {
        parents.append(parents.count)
        return parents.count - 1
    }

    /// The number that stands for the united set, which is its lowest. Paths are halved on the way.
    package mutating func set(of number: Int) -> Int {
        var number = number
        while parents[number] != number {
            parents[number] = parents[parents[number]]
            number = parents[number]
        }
        return number
    }

    /// The later set joins the earlier one.
    package mutating func unite(_ first: Int, _ second: Int) {
        let (first, second) = (set(of: first), set(of: second))
        parents[max(first, second)] = min(first, second)
    }
}
