import ArgumentParser

/// What the traits of a build add to the command. All of it stands here, but for whole files.
enum Features {
    /// The commands that ask the App Store. A build without the trait does not have them: their options are large.
    static var commands: [any ParsableCommand.Type] { comparing + requests }

    /// The features, as `version` writes them.
    static var words: String {
        #if Service
            "database, service"
        #elseif SQLite
            "database, no service"
        #else
            "no database, no service"
        #endif
    }

    private static var comparing: [any ParsableCommand.Type] {
        #if SQLite && ServerAPI
            [ReconcileCommand.self]
        #else
            []
        #endif
    }

    private static var requests: [any ParsableCommand.Type] {
        #if ServerAPI
            [
                FetchCommand.self, FinishCommand.self, SetAccountTokenCommand.self, ConsumptionCommand.self,
                ExtendCommand.self, SeatsCommand.self, RequestTestNotificationCommand.self,
            ]
        #else
            []
        #endif
    }
}
