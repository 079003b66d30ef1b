#if SQLite
    internal import Foundation
    internal import GRDB

    /// The tables of the file, and the steps from each version of them to the next.
    enum Schema {
        /// A released step never changes: a new version of the tables is one step more.
        static var migrator: DatabaseMigrator {
            var migrator = DatabaseMigrator()
            migrator.registerMigration("1") { db in
                try db.execute(sql: version1)
            }
            migrator.registerMigration("2") { db in
                try db.execute(sql: version2)
            }
            migrator.registerMigration("3") { db in
                try db.execute(sql: version3)
            }
            migrator.registerMigration("4") { db in
                try db.execute(sql: version4)
                try EventRows(db).noteAll()
            }
            migrator.registerMigration("5") { db in
                try db.execute(sql: version5)
            }
            // Purchases that moved from another original transaction are found by that one, too.
            migrator.registerMigration("6") { db in
                try CustomerRows(db).addFormerOriginals()
            }
            return migrator
        }

        /// Payloads are appended, and short indexes find them: rows in the order of customers would touch a page of
        /// the file for each payload. Identifiers are the payload's 64 bits, as SQLite's signed numbers.
        private static let version1 = """
            CREATE TABLE header (
                id INTEGER PRIMARY KEY,
                text TEXT NOT NULL UNIQUE                -- a token's header, in base64url
            ) STRICT;
            CREATE TABLE app (
                id INTEGER PRIMARY KEY,
                bundleID TEXT NOT NULL,
                environment TEXT NOT NULL,
                UNIQUE (bundleID, environment)
            ) STRICT;
            CREATE TABLE payload (
                id INTEGER PRIMARY KEY,
                subject ANY NOT NULL,                    -- an original transaction, or a download (a text)
                kind INTEGER NOT NULL,                   -- 1 transaction, 2 renewal information, 3 app transaction
                item INTEGER NOT NULL,                   -- the transaction; 0 for other kinds
                app INTEGER NOT NULL REFERENCES app (id),
                signed REAL NOT NULL,                    -- milliseconds since 1970
                nameKinds INTEGER NOT NULL,              -- 1 it names an account token, 2 a download
                header INTEGER NOT NULL REFERENCES header (id),
                json TEXT NOT NULL,
                signature BLOB NOT NULL
            ) STRICT;
            CREATE INDEX payloadOfSubject ON payload (subject, kind, item);
            CREATE TABLE customer (
                name TEXT NOT NULL,                      -- as Customer.Name describes itself
                subject INTEGER NOT NULL,
                PRIMARY KEY (name, subject)
            ) STRICT, WITHOUT ROWID;
            CREATE TABLE finished (
                subject INTEGER NOT NULL,
                item INTEGER NOT NULL,
                app INTEGER NOT NULL REFERENCES app (id),
                PRIMARY KEY (subject, item, app)
            ) STRICT, WITHOUT ROWID;
            CREATE TABLE notification (
                uuid TEXT NOT NULL PRIMARY KEY,          -- in lower case
                signed REAL NOT NULL                     -- milliseconds since 1970
            ) STRICT, WITHOUT ROWID;
            """

        /// The inbox. Bodies are appended. An index of the deliveries that have not ended finds the waiting ones:
        /// it stays short, however many notifications were delivered.
        private static let version2 = """
            CREATE TABLE received (
                id INTEGER PRIMARY KEY,                  -- in the order of arrival
                uuid TEXT NOT NULL UNIQUE,               -- the notificationUUID, in lower case
                at REAL NOT NULL,                        -- when it came, in milliseconds since 1970
                body BLOB NOT NULL                       -- the request's body, byte for byte
            ) STRICT;
            CREATE TABLE address (
                id INTEGER PRIMARY KEY,
                url TEXT NOT NULL UNIQUE
            ) STRICT;
            CREATE TABLE delivery (
                notification INTEGER NOT NULL REFERENCES received (id),
                address INTEGER NOT NULL REFERENCES address (id),
                state INTEGER NOT NULL,                  -- 0 waiting, 1 delivered, 2 given up
                attempts INTEGER NOT NULL,
                due REAL NOT NULL,                       -- when to try next, or when it ended; as received.at
                failure TEXT,                            -- why the last attempt that failed did
                PRIMARY KEY (notification, address)
            ) STRICT, WITHOUT ROWID;
            CREATE INDEX undelivered ON delivery (state, address, due, notification) WHERE state <> 1;
            """

        /// How many payloads were written of each purchase. A reader that finds another number says so: of a damaged
        /// index or table, a refund may be missing. The counts of an older file are those of the table itself.
        private static let version3 = """
            CREATE TABLE purchase (
                subject ANY NOT NULL PRIMARY KEY,        -- as payload.subject
                payloads INTEGER NOT NULL
            ) STRICT, WITHOUT ROWID;
            INSERT INTO purchase SELECT subject, count(*) FROM payload NOT INDEXED GROUP BY subject;
            CREATE TABLE lease (
                address INTEGER PRIMARY KEY REFERENCES address (id),
                owner TEXT NOT NULL,                     -- the forwarder that delivers to the address
                until REAL NOT NULL                      -- another one may take it from then on; as received.at
            ) STRICT;
            """

        /// Rows that find a notification, and those that say why attempts to deliver it failed. The columns of
        /// `event` are read from the bodies, which are verified when they are read. When a body's time is over, its
        /// event goes with it.
        private static let version4 = """
            CREATE TABLE event (
                notification INTEGER PRIMARY KEY REFERENCES received (id),
                at REAL NOT NULL,                        -- as received.at
                type TEXT NOT NULL,                      -- the notificationType
                subtype TEXT,
                subject ANY                              -- as payload.subject, if it is about one
            ) STRICT;
            CREATE INDEX eventOfSubject ON event (subject, notification) WHERE subject IS NOT NULL;
            CREATE INDEX eventOfType ON event (type, notification);
            CREATE TABLE attempt (
                id INTEGER PRIMARY KEY,
                notification INTEGER NOT NULL,
                address INTEGER NOT NULL,
                at REAL NOT NULL,                        -- as received.at
                failure TEXT NOT NULL                    -- why it failed
            ) STRICT;
            CREATE INDEX attemptOfDelivery ON attempt (notification, address);
            """

        /// The claims of seats. An end may be known before its claim: the other columns are then null.
        private static let version5 = """
            CREATE TABLE claim (
                id TEXT NOT NULL PRIMARY KEY,            -- the seatClaimId, in lower case
                subject INTEGER,                         -- the purchaser's original transaction
                app INTEGER REFERENCES app (id),
                since REAL,                              -- when the seat was claimed, in milliseconds since 1970
                until REAL                               -- when the claim ended
            ) STRICT, WITHOUT ROWID;
            CREATE INDEX claimOfSubject ON claim (subject) WHERE subject IS NOT NULL;
            CREATE TABLE member (
                name TEXT NOT NULL,                      -- as customer.name
                claim TEXT NOT NULL REFERENCES claim (id),
                PRIMARY KEY (name, claim)
            ) STRICT, WITHOUT ROWID;
            CREATE INDEX memberOfClaim ON member (claim);
            """
    }

    /// Dates as the file holds them, in milliseconds since 1970.
    extension Date {
        var milliseconds: Double { timeIntervalSince1970 * 1000 }

        init(milliseconds: Double) { self.init(timeIntervalSince1970: milliseconds / 1000) }
    }
#endif
