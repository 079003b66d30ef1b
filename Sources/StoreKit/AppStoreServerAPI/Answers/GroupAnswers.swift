#if ServerAPI
    public import Essentials

    /// A group of customers whose access one account buys (Apple's `GroupEntry`).
    public struct CustomerGroup: Hashable, Sendable {
        /// The kind of the group.
        public struct GroupType: RawRepresentable, Hashable, Sendable {
            /// Apple's name.
            public let rawValue: String

            /// Makes a value from its raw form, known or not.
            public init(rawValue: String) { self.rawValue = rawValue }

            /// A company or a school, whose members have roles.
            public static let organization = GroupType(rawValue: "ORGANIZATION")
            /// A group of people that a subscriber invited.
            public static let consumer = GroupType(rawValue: "CONSUMER")
        }

        /// The customer's role in an organization (Apple's `RoleEntry`).
        public struct Role: Hashable, Sendable {
            /// The product that the group gives access to.
            public let productID: String
            /// `ADMIN`, `NONE`, or a value that is not known yet.
            public let role: String
        }

        /// The identifier that Get Group Members takes.
        public let groupID: String
        /// The kind of the group.
        public let groupType: GroupType
        /// The customer's roles; empty unless the group is an organization.
        public let roles: [Role]

        init(_ answer: AnswerObject) throws(AnswerError) {
            groupID = try answer.text("groupId")
            groupType = GroupType(rawValue: try answer.text("groupType"))
            roles = try answer.objects("roles") { (role) throws(AnswerError) in
                Role(productID: try role.text("productId"), role: try role.text("role"))
            }
        }
    }

    /// A page of a group's members (Apple's `GetGroupMembersResponse`).
    public struct GroupMemberPage: APIPage {
        /// The members, each by the identifier of the app transaction.
        public let appTransactionIDs: [String]
        /// The token of the next page.
        public let paginationToken: String?
        /// Whether there is another page.
        public let hasMore: Bool

        /// ``paginationToken``.
        public var continuation: String? { paginationToken }

        init(_ answer: AnswerObject) throws(AnswerError) {
            appTransactionIDs = try answer.objects("members") { (member) throws(AnswerError) in
                try member.text("appTransactionId")
            }
            paginationToken = try answer.optionalText("paginationToken")
            hasMore = try answer.optionalBool("hasMore") ?? false
        }
    }

    /// A seat that was claimed (Apple's `ClaimSeatResponse`).
    public struct ClaimedSeat: Hashable, Sendable {
        /// The claim. When the seat is given to another member, that claim has another identifier.
        public let seatClaimID: UUID

        init(_ answer: AnswerObject) throws(AnswerError) { seatClaimID = try answer.uuid("seatClaimId") }
    }

    /// The seats of a subscription (Apple's `GetSeatInfoResponse`).
    public struct SeatInfo: Hashable, Sendable {
        /// How many seats the subscription has.
        public let totalSeatCount: Int
        /// How many can be claimed.
        public let availableSeatCount: Int
        /// The active claims. After a renewal with fewer seats there may be more of them than seats.
        public let assignedSeatClaimIDs: [UUID]

        init(_ answer: AnswerObject) throws(AnswerError) {
            totalSeatCount = try answer.number("totalSeatCount")
            availableSeatCount = try answer.number("availableSeatCount")
            assignedSeatClaimIDs = try answer.uuids("assignedSeatClaimIds")
        }
    }
#endif
