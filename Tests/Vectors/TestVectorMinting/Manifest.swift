/// `manifest.json`: the expected result of each line of each file.
enum Manifest {
    static func text(_ files: [VectorFile]) -> String {
        "[\n" + files.map(entry).joined(separator: ",\n") + "\n]\n"
    }

    private static func entry(_ file: VectorFile) -> String {
        let lines = file.lines.enumerated().compactMap { index, vector in
            vector.map { line(index + 1, $0, namespace: file.namespace) }
        }
        return """
              {
                "file": \(JSONText.quoted(file.name)),
                "roots": \(list(file.roots)),
                "options": \(list(file.options)),
                "lines": [
            \(lines.joined(separator: ",\n"))
                ]
              }
            """
    }

    private static func line(_ number: Int, _ vector: Vector, namespace: String) -> String {
        var members = [("line", "\(number)"), ("id", JSONText.quoted("\(namespace)::\(vector.name)"))]
        switch vector.expectation {
        case .verified(let kind):
            members += [("verified", "true"), ("type", JSONText.quoted(kind.rawValue))]
        case .rejected(let code, let member):
            members += [("verified", "false"), ("error", JSONText.quoted(code.rawValue))]
            members += member.map { [("at", JSONText.quoted($0))] } ?? []
        }
        members.append(("why", JSONText.quoted(vector.why)))
        return "      {" + members.map { "\"\($0)\": \($1)" }.joined(separator: ", ") + "}"
    }

    private static func list(_ values: [String]) -> String {
        "[" + values.map(JSONText.quoted).joined(separator: ", ") + "]"
    }
}
