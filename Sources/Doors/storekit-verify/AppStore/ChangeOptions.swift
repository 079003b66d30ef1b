#if ServerAPI
    import AppStoreServerAPI
    import ArgumentParser
    import CommandSupport
    import Platform
    import SignedPayloads

    /// The options of every command that changes something at the App Store.
    ///
    /// Such a command names the change, asks whether to go on, and prints the answer.
    struct ChangeOptions: ParsableArguments {
        @OptionGroup var server: ServerOptions

        @Flag(name: [.customLong("yes"), .customShort("y")], help: "Do not ask.")
        var isConfirmed = false

        /// Sends a request after it was confirmed, and prints the answer's JSON.
        ///
        /// - Parameter change: the change, as a sentence without a full stop.
        /// - Throws: an exit status, after a message.
        func send<Answer>(_ request: APIRequest<Answer>, _ change: String) throws {
            try server.withClient { client in
                let environment = client.server.environment.rawValue
                StandardError.say("to change in the \(environment) environment: \(change)")
                try confirm()
                try Self.print(request, from: client)
            }
        }

        /// Asks on the terminal.
        private func confirm() throws {
            if isConfirmed { return }
            guard FileDescriptor.isTerminal(FileDescriptor.standardInput) else {
                throw ValidationError("Nothing was changed: there is no terminal to ask; confirm with --yes.")
            }
            StandardError.write("Go on? [y/N] ")
            guard let answer = readLine()?.lowercased(), ["y", "yes"].contains(answer) else {
                StandardError.say("nothing was changed")
                throw ExitCode.unverified
            }
        }

        /// Sends a request, and prints the answer's JSON, if it has any.
        ///
        /// - Parameter refusal: why a signed member of the answer is not verified; otherwise `nil`. A refused
        ///   answer is not printed.
        /// - Throws: an exit status, after a message.
        static func print<Answer>(
            _ request: APIRequest<Answer>, from client: AppStoreServerAPIClient,
            refusal: (Answer) -> String? = { _ in nil }
        ) throws(ExitCode) {
            let interruption = try Interruption.start()
            let result = try waiting(interruption.request) {
                do throws(AppStoreServerAPIError) {
                    return Result<_, AppStoreServerAPIError>.success(try await client.response(to: request))
                } catch {
                    return .failure(error)
                }
            }
            interruption.endProcess()
            switch result {
            case .success(let response):
                if let reason = refusal(response.value) {
                    StandardError.say("the payload of the App Store's answer is not verified: \(reason)")
                    throw .unverified
                }
                let text = String(decoding: response.body, as: UTF8.self)
                if !text.isEmpty { try StandardOutput.write(text + "\n") }
            case .failure(let error):
                StandardError.say("\(error)")
                throw error.isRefusal ? .unverified : .unavailable
            }
        }
    }

    extension ExitCode {
        /// The exit statuses, for the help of each of these commands.
        static let ofChanges = """
            Exit status: 0 done, 1 the App Store refused, its answer is not verified, or the question was not answered \
            with yes, 64 usage, 66 a file can't be read, 69 the App Store can't be asked, or refuses the key, 74 output \
            can't be written.
            """
    }
#endif
