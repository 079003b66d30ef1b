#if SQLite
    import ArgumentParser
    import CommandSupport
    import Essentials
    import Platform
    import PurchaseDatabase
    import SignedPayloads

    extension IngestCommand {
        func run() throws {
            let revocation = policy.setup.makeRevocationChecker()
            defer { revocation?.close() }
            let store = try SQLiteTransactionStore.open(
                database, policy.setup.makeVerifier(revocation), for: .importing)
            var run = IngestRun(
                store: store, refusals: try refusals(), delivered: delivered, takesJSONApart: json.anyJSON,
                kept: state.map { KeptLines($0) }, jobs: VerifyCommand.number(ofJobs: jobs),
                showsProgress: VerifyCommand.showsProgress(progress, files))
            // After the database is open: a signal before this simply ends the process.
            let interruption = try Interruption.start()
            var status = run.ingest(files, interruption.request)
            do throws(SQLiteStoreError) {
                try store.close()
            } catch  where status != .unwritableOutput {
                StandardError.say("\(error)")
                status = .unwritableOutput
            } catch {
                // A full disk is reported already.
            }
            if summary { StandardError.say("\(run.tally.summary); \(run.counts.summary)") }
            interruption.endProcess()
            guard status == .success else { throw status }
        }

        /// The file is made before the first line is read, so that a wrong name costs no import.
        private func refusals() throws -> IngestRun.Refusals {
            guard let refused else { return quiet ? .unnamed : .named }
            // The database is open, so that its names exist.
            let names = ["", "-wal", "-shm"].map {
                URL(filePath: database + $0).resolvingSymlinksInPath().path
            }
            guard !names.contains(URL(filePath: refused.text).resolvingSymlinksInPath().path) else {
                throw ValidationError("--refused would overwrite the database: give another file.")
            }
            return try StandardError.sayingWhy("\(refused.text): ", status: .unwritableOutput) {
                () throws(SystemError) in
                IngestRun.Refusals.file(SharedFile(try FileDescriptor.create(refused)))
            }
        }
    }
#endif
