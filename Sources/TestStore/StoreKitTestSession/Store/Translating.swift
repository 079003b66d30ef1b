/// Evaluates an expression, and throws its error as another one.
///
/// - Parameter other: makes the other error.
package func translating<Success, Failure: Error, Other: Error>(
    _ expression: @autoclosure () throws(Failure) -> Success, _ other: (Failure) -> Other
) throws(Other) -> Success {
    do throws(Failure) {
        return try expression()
    } catch {
        throw other(error)
    }
}
