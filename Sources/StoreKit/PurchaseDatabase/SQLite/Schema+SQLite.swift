#if SQLite
    internal import GRDB

    /// Whether a file of SQLite has our tables, and nothing else.
    extension Schema {
        /// "skvf" in ASCII: says that the file is ours (SQLite's `PRAGMA application_id`).
        static let applicationID: Int32 = 0x736B_7666

        /// Whether the file says that it is ours.
        static func isClaimed(_ db: Database) throws -> Bool {
            try Int32.fetchOne(db, sql: "PRAGMA application_id") == applicationID
        }

        /// Whether the file has no table yet.
        static func isEmpty(_ db: Database) throws -> Bool {
            try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_schema") == 0
        }

        /// Whether the file has the tables and indexes of its steps and nothing else. A trigger or a view would
        /// run, and change the rows that are written or read.
        static func isUnchanged(_ db: Database) throws -> Bool {
            let model = try DatabaseQueue()
            for step in try migrator.completedMigrations(db) { try migrator.migrate(model, upTo: step) }
            return try objects(db) == model.read(objects)
        }

        /// The objects of the schema, except for those that GRDB and `ANALYZE` add.
        private static func objects(_ db: Database) throws -> Set<[String?]> {
            let rows = try Row.fetchCursor(
                db,
                sql: "SELECT type, name, tbl_name, sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite_stat_'")
            var objects: Set<[String?]> = []
            while let row = try rows.next() {
                let object: [String?] = [row[0], row[1], row[2], row[3]]
                if !object.starts(with: ["table", "grdb_migrations"]) { objects.insert(object) }
            }
            return objects.filter { $0[1] != "sqlite_autoindex_grdb_migrations_1" }
        }

        /// Makes an empty file ours. This comes before every table: GRDB makes its own in a transaction before the
        /// first step's, and a process that is killed between them must not leave a file that looks like another's.
        static func claim(_ db: Database) throws {
            guard try !isClaimed(db) else { return }
            try db.execute(sql: "PRAGMA application_id = \(applicationID)")
        }
    }
#endif
