#if Service
    /// A number that is found when it is asked for, in place of being counted.
    struct MetricSample: Sendable {
        let name: String
        let labels: [(String, String)]
        let value: Int

        init(_ name: String, _ labels: [(String, String)] = [], _ value: Int) {
            (self.name, self.labels, self.value) = (name, labels, value)
        }
    }
#endif
