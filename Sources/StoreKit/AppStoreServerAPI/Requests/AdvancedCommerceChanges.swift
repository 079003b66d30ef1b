#if ServerAPI
    internal import AppStoreTables
    internal import WireFormats

    // MARK: - Changes of a subscription

    extension AdvancedCommerceRequest {
        /// An item with its names (Apple's `SubscriptionMigrateItem`).
        public struct Item: Hashable, Sendable {
            /// The item, in up to 128 characters.
            public var sku: String
            /// Up to 30 characters.
            public var displayName: String
            /// Up to 45 characters.
            public var description: String

            /// - Parameters:
            ///   - sku: the item, in up to 128 characters.
            ///   - displayName: up to 30 characters.
            ///   - description: up to 45 characters.
            public init(_ sku: String, displayName: String, description: String) {
                (self.sku, self.displayName, self.description) = (sku, displayName, description)
            }

            fileprivate var json: ObjectText {
                var object = ObjectText()
                object.add("SKU", sku)
                object.add("displayName", displayName)
                object.add("description", description)
                return object
            }
        }

        /// The new price of an item (Apple's `SubscriptionPriceChangeItem`).
        public struct PriceChange: Hashable, Sendable {
            /// The item.
            public var sku: String
            /// The price from the next renewal on.
            public var price: Int
            /// Items whose prices depend on this one.
            public var dependentSKUs: [String]

            /// - Parameters:
            ///   - sku: the item.
            ///   - price: the price from the next renewal on.
            ///   - dependentSKUs: items whose prices depend on this one.
            public init(_ sku: String, price: Int, dependentSKUs: [String] = []) {
                (self.sku, self.price, self.dependentSKUs) = (sku, price, dependentSKUs)
            }

            fileprivate var json: ObjectText {
                var object = ObjectText()
                object.add("SKU", sku)
                object.add("price", price)
                object.add("dependentSKUs", dependentSKUs)
                return object
            }
        }

        /// New names of an item, or of the subscription itself.
        public struct MetadataChange: Hashable, Sendable {
            /// When they take effect.
            public var effective: Effective
            /// The item's present name; `nil` for the subscription itself.
            public var currentSKU: String?
            /// The item's new name.
            public var sku: String?
            /// Up to 30 characters.
            public var displayName: String?
            /// Up to 45 characters.
            public var description: String?

            /// - Parameters:
            ///   - currentSKU: the item's present name; `nil` for the subscription itself.
            ///   - effective: when the change takes effect.
            public init(_ currentSKU: String? = nil, effective: Effective) {
                (self.currentSKU, self.effective) = (currentSKU, effective)
            }

            fileprivate var json: ObjectText {
                var object = ObjectText()
                object.add("effective", effective.rawValue)
                object.add("currentSKU", currentSKU)
                object.add("SKU", sku)
                object.add("displayName", displayName)
                object.add("description", description)
                return object
            }
        }

        /// Change Subscription Metadata.
        ///
        /// - Parameters:
        ///   - info: the common members of all requests.
        ///   - descriptors: the subscription's own names; `nil` to leave them.
        ///   - items: the items whose names change.
        ///   - taxCode: the new tax code; `nil` to leave it.
        ///   - storefront: a country code of three letters; `nil` for the customer's.
        public static func changeMetadata(
            _ info: Info, descriptors: MetadataChange? = nil, items: [MetadataChange] = [],
            taxCode: String? = nil, storefront: String? = nil
        ) -> AdvancedCommerceRequest {
            var request = AdvancedCommerceRequest(.changeMetadata, info, storefront: storefront)
            request.body.add("descriptors", descriptors?.json)
            request.body.add("items", items.map(\.json))
            request.body.add("taxCode", taxCode)
            return request
        }

        /// Change Subscription Price.
        ///
        /// - Parameters:
        ///   - info: the common members of all requests.
        ///   - items: the new prices.
        ///   - currency: three letters; `nil` for the purchase's.
        ///   - storefront: a country code of three letters; `nil` for the customer's.
        public static func changePrice(
            _ info: Info, items: [PriceChange], currency: String? = nil, storefront: String? = nil
        ) -> AdvancedCommerceRequest {
            var request = AdvancedCommerceRequest(.changePrice, info, storefront: storefront)
            request.body.add("items", all: items.map(\.json))
            request.body.add("currency", currency)
            return request
        }

        /// Migrate a Subscription: a subscription of the App Store becomes one of this API.
        ///
        /// - Parameters:
        ///   - info: the common members of all requests.
        ///   - targetProductID: the generic product.
        ///   - descriptors: the names of the subscription itself.
        ///   - items: the items of the subscription.
        ///   - renewalItems: its items after the next renewal. Needed if a change to a lower or equal level is pending, and
        ///     not allowed otherwise.
        ///   - taxCode: the tax code.
        ///   - storefront: a country code of three letters; `nil` for the customer's.
        public static func migrate(
            _ info: Info, to targetProductID: String, descriptors: (displayName: String, description: String),
            items: [Item], renewalItems: [Item] = [], taxCode: String, storefront: String? = nil
        ) -> AdvancedCommerceRequest {
            var request = AdvancedCommerceRequest(.migrateSubscription, info, storefront: storefront)
            var names = ObjectText()
            names.add("displayName", descriptors.displayName)
            names.add("description", descriptors.description)
            request.body.add("descriptors", names)
            request.body.add("items", all: items.map(\.json))
            request.body.add("targetProductId", targetProductID)
            request.body.add("taxCode", taxCode)
            request.body.add("renewalItems", renewalItems.map(\.json))
            return request
        }
    }
#endif
