#if ServerAPI
    import AppStoreServerAPI
    import ArgumentParser
    import CommandSupport
    import Platform
    import SignedPayloads

    /// The options of every command that changes something at the App Store.
    ///
    /// Such a command says what it is about to change, asks whether to go on, and prints the answer.
    struct ChangeOptions: ParsableArguments {
        @OptionGroup var server: ServerOptions

        @Flag(name: [.customLong("yes"), .customShort("y")], help: "Do not ask.")
        var isConfirmed = false

        /// Sends a request after it was confirmed, and prints the answer's JSON.
        ///
        /// - Parameter change: what is about to change, as a sentence without a full stop.
        /// - Throws: an exit status, after a message.
        func send<Answer>(_ request: APIRequest<Answer>, _ change: String) throws {
            let client = try server.makeClient(server.makeVerifier(nil))
            StandardError.say("to change in the \(client.server.environment.rawValue) environment: \(change)")
            try confirm()
            _ = try Self.print(request, from: client)
        }

        /// Asks on the terminal.
        private func confirm() throws {
            if isConfirmed { return }
            guard FileDescriptor.isTerminal(FileDescriptor.standardInput) else {
                throw ValidationError("Nothing was changed: there is no terminal to ask; --yes confirms.")
            }
            StandardError.write("Go on? [y/N] ")
            guard let answer = readLine()?.lowercased(), ["y", "yes"].contains(answer) else {
                StandardError.say("nothing was changed")
                throw ExitCode.unverified
            }
        }

        /// Sends a request, and prints the answer's JSON, if it has any.
        ///
        /// - Returns: the answer.
        /// - Throws: an exit status, after a message.
        static func print<Answer>(
            _ request: APIRequest<Answer>, from client: AppStoreServerAPIClient
        ) throws(ExitCode) -> Answer {
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
                let text = String(decoding: response.body, as: UTF8.self)
                if !text.isEmpty { try StandardOutput.write(text + "\n") }
                return response.value
            case .failure(let error):
                StandardError.say("\(error)")
                throw error.isRefusal ? .unverified : .unavailable
            }
        }
    }

    extension ExitCode {
        /// What all of these commands say of their exit status.
        static let ofChanges = """
            Exit status: 0 done, 1 the App Store refused, or the question was not answered with yes, 64 usage, 66 a \
            file can't be read, 69 the App Store can't be asked, or refuses the key, 74 output can't be written.
            """
    }
#endif
