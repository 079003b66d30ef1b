// Foundation's currencies are not in FoundationEssentials.
internal import Foundation
internal import WireFormats

/// The App Store of a country or region: its number at Apple, and its currency.
package struct Region: Hashable, Sendable {
    /// The country or region, as three letters (ISO 3166-1).
    package let code: String
    /// Apple's number for the storefront; `nil` for one that is not in the table.
    let storefrontID: String?
    /// The currency (ISO 4217). The App Store asks for US dollars where it has no currency of the place.
    package let currency: String

    /// A code without an entry has no number, and pays in dollars.
    init(_ code: String) {
        self.code = code
        let known = Self.known[code]
        storefrontID = known.map { String($0.id) }
        currency = known?.currency ?? "USD"
    }

    /// Whether a text is the code of a storefront.
    package static func isCode(_ text: String) -> Bool { codes.contains(Substring(text)) }

    /// The countries and regions of the App Store, as App Store Connect lists them (ISO 3166-1; Kosovo is `XKS`).
    private static let codes = Set(
        ("AFG AGO AIA ALB ARE ARG ARM ATG AUS AUT AZE BEL BEN BFA BGR BHR BHS BIH BLR BLZ BMU BOL BRA BRB "
            + "BRN BTN BWA CAN CHE CHL CHN CIV CMR COD COG COL CPV CRI CYM CYP CZE DEU DMA DNK DOM DZA ECU EGY "
            + "ESP EST FIN FJI FRA FSM GAB GBR GEO GHA GMB GNB GRC GRD GTM GUY HKG HND HRV HUN IDN IND IRL IRQ "
            + "ISL ISR ITA JAM JOR JPN KAZ KEN KGZ KHM KNA KOR KWT LAO LBN LBR LBY LCA LKA LTU LUX LVA MAC MAR "
            + "MDA MDG MDV MEX MKD MLI MLT MMR MNE MNG MOZ MRT MSR MUS MWI MYS NAM NER NGA NIC NLD NOR NPL NRU "
            + "NZL OMN PAK PAN PER PHL PLW PNG POL PRT PRY QAT ROU RUS RWA SAU SEN SGP SLB SLE SLV SRB STP SUR "
            + "SVK SVN SWE SWZ SYC TCA TCD THA TJK TKM TON TTO TUN TUR TWN TZA UGA UKR URY USA UZB VCT VEN VGB "
            + "VNM VUT XKS YEM ZAF ZMB ZWE ")
            .split(separator: " "))

    /// Whether a text names a language that exists, with a region that exists, in the form of BCP 47: `de`, `en-US`.
    package static func isLocale(_ text: String) -> Bool {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        // A language of two or three letters, then parts of two to eight (RFC 5646, section 2.1).
        let isWellFormed = parts.allSatisfy { part in
            (2...8).contains(part.count) && part.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
        }
        guard isWellFormed, parts[0].count <= 3 else { return false }
        let language = Locale.Language(identifier: text)
        guard language.languageCode?.isISOLanguage == true else { return false }
        // A second or third part of two letters is a region, and one of four a script.
        let names = parts.dropFirst().filter { $0.count == 2 }
        return names.allSatisfy { Locale.Region(String($0)).isISORegion }
    }

    /// Why a text is no storefront, as a sentence without a full stop; `nil` if it is one.
    static func refusal(ofStorefront code: String) -> String? {
        isCode(code)
            ? nil
            : "\"\(code.abbreviated())\" is not a storefront: three capital letters of a country or region that has an "
                + "App Store, such as USA"
    }

    /// Why the identifier of a `Locale` names no language, as a sentence without a full stop; `nil` if it names one.
    ///
    /// Xcode writes `en_US` and `zh_Hans_CN`. What follows an at sign are preferences.
    static func refusal(ofLocale identifier: String) -> String? {
        let tag = String(identifier.prefix { $0 != "@" }).replacing("_", with: "-")
        return isLocale(tag)
            ? nil
            : "\"\(identifier.abbreviated())\" is not a locale: a language, and perhaps a script and a region, such as "
                + "en_US"
    }

    /// Payloads name a storefront by Apple's number (`storefrontId`). The table has the larger ones.
    private static let known: [String: (id: Int, currency: String)] = [
        "ARE": (143_481, "AED"), "AUS": (143_460, "AUD"), "AUT": (143_445, "EUR"), "BEL": (143_446, "EUR"),
        "BRA": (143_503, "BRL"), "CAN": (143_455, "CAD"), "CHE": (143_459, "CHF"), "CHL": (143_483, "CLP"),
        "CHN": (143_465, "CNY"), "COL": (143_501, "COP"), "CZE": (143_489, "CZK"), "DEU": (143_443, "EUR"),
        "DNK": (143_458, "DKK"), "EGY": (143_516, "EGP"), "ESP": (143_454, "EUR"), "FIN": (143_447, "EUR"),
        "FRA": (143_442, "EUR"), "GBR": (143_444, "GBP"), "GRC": (143_448, "EUR"), "HKG": (143_463, "HKD"),
        "HUN": (143_482, "HUF"), "IDN": (143_476, "IDR"), "IND": (143_467, "INR"), "IRL": (143_449, "EUR"),
        "ISR": (143_491, "ILS"), "ITA": (143_450, "EUR"), "JPN": (143_462, "JPY"), "KAZ": (143_517, "KZT"),
        "KOR": (143_466, "KRW"), "LUX": (143_451, "EUR"), "MEX": (143_468, "MXN"), "MYS": (143_473, "MYR"),
        "NLD": (143_452, "EUR"), "NOR": (143_457, "NOK"), "NZL": (143_461, "NZD"), "PAK": (143_477, "PKR"),
        "PER": (143_507, "PEN"), "PHL": (143_474, "PHP"), "POL": (143_478, "PLN"), "PRT": (143_453, "EUR"),
        "QAT": (143_498, "QAR"), "ROU": (143_487, "RON"), "SAU": (143_479, "SAR"), "SGP": (143_464, "SGD"),
        "SWE": (143_456, "SEK"), "THA": (143_475, "THB"), "TUR": (143_480, "TRY"), "TWN": (143_470, "TWD"),
        "USA": (143_441, "USD"), "VNM": (143_471, "VND"), "ZAF": (143_472, "ZAR"),
    ]
}

extension Region {
    /// A price for people, in the currency, in the form of a language.
    func text(of price: Decimal, _ locale: Locale) -> String {
        price.formatted(.currency(code: currency).locale(locale))
    }
}
