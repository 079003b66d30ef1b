import ArgumentParser

/// The option of commands that read lines, for documents that are no lines.
struct JSONOptions: ParsableArguments {
    @Flag(
        name: .customLong("any-json"),
        help:
            "Read JSON of any shape, such as the App Store Server API's answers: each token inside is read as a line is."
    )
    var anyJSON = false
}
