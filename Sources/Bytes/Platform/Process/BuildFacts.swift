internal import CBuildFacts

/// Facts about the build of this program.
package enum BuildFacts {
    /// The version of the package.
    package static let version = "0.1.0"

    /// The commit of the source; `nil` if the build does not know it. `.ci/package` links it.
    package static var commit: String? {
        let text = unsafe String(cString: build_facts_commit())
        return text.isEmpty ? nil : text
    }

    /// The compiler with its exact version, if the build knows it; otherwise as far as the source can find out.
    package static var compiler: String {
        let text = unsafe String(cString: build_facts_compiler())
        return text.isEmpty ? compilerByCondition : text
    }

    private static var compilerByCondition: String {
        #if compiler(>=6.4)
            "Swift 6.4 or later"
        #elseif compiler(>=6.3)
            "Swift 6.3"
        #else
            "Swift 6.2"
        #endif
    }
}
