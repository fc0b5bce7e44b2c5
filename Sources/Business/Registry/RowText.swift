import Basics
import SiteModel

/// How a text of a row is read: what is stored of it.
package struct RowText: Sendable {
    /// Why a text will not do.
    package struct Fault: Error {
        package let text: String
    }

    package let read: @Sendable (String) throws(Fault) -> String

    /// Which beacons are in a group.
    package static let rule = RowText { text throws(Fault) in
        guard let rule = SiteIdentity.rule(text) else {
            throw Fault(
                text: "expected a UUID with or without a major and a minor, such as "
                    + "3f2a9c54-77aa-4cde-9b1e-0d5d3c1f8a10 1 256&65280, eu-<20 hex>, or name:Tag*")
        }
        return rule.text
    }

    /// A part of every day.
    package static let hours = RowText { text throws(Fault) in
        guard let hours = DailyHours(text) else {
            throw Fault(text: "expected two times of a day, such as 22:00-06:00")
        }
        return hours.text
    }

    /// So many bytes, as `0x004c` for a number of two.
    private static func bytes(_ count: ClosedRange<Int>, _ prefix: String, _ expected: String)
        -> RowText
    {
        RowText { text throws(Fault) in
            var digits = text.lowercased().filter { !":- ".contains($0) }
            if digits.hasPrefix("0x") { digits.removeFirst(2) }
            guard let bytes = Hex.bytes(digits), count.contains(bytes.count) else {
                throw Fault(text: expected)
            }
            return prefix + digits
        }
    }

    /// The number of a company, by the Bluetooth SIG.
    package static let company = bytes(2...2, "0x", "expected a number such as 0x004c")
    /// How the data of a company begin.
    package static let companyData = bytes(1...24, "", "expected bytes such as 0215")
    /// Who makes a device, by the first half of its address.
    package static let vendor = bytes(3...3, "", "expected three bytes such as c0:ff:ee")

    /// A service, by the Bluetooth SIG or as a UUID.
    package static let service = RowText { text throws(Fault) in
        let short = bytes(2...2, "", "")
        let long = bytes(
            16...16, "",
            "expected a number such as 180d, or a UUID of 32 digits with or without hyphens")
        if let digits = try? short.read(text) { return digits }
        return try long.read(text)
    }

    /// A colour.
    package static let colour = RowText { text throws(Fault) in
        let small = text.lowercased()
        guard small.wholeMatch(of: /#[0-9a-f]{6}/) != nil else {
            throw Fault(text: "expected a colour such as #b34700")
        }
        return small
    }

    /// A page of the web. What runs in the page that shows it is none, nor is one with somebody's password.
    package static let link = RowText { text throws(Fault) in
        if let fault = WebLink.fault(in: text) { throw Fault(text: fault) }
        return text
    }

    /// The name of a picture.
    package static let picture = RowText { text throws(Fault) in
        guard isPictureName(text) else {
            throw Fault(text: "expected letters, digits, and -, _ or . between them")
        }
        return text
    }

    /// A language such as de or pt-br.
    package static let language = RowText { text throws(Fault) in
        let small = text.lowercased()
        guard SiteCollection.isLanguage(small) else {
            throw Fault(text: "expected a language such as de or pt-br")
        }
        return small
    }

    /// Whether a picture may be called so: nothing that a path could be.
    package static func isPictureName(_ text: String) -> Bool {
        text.wholeMatch(of: /[A-Za-z0-9](?:[A-Za-z0-9_.-]{0,62}[A-Za-z0-9])?/) != nil
            && !text.contains("..")
    }
}

/// Addresses that people are shown to follow.
package enum WebLink {
    /// Why a text is no address of the web; `nil` if it is one.
    package static func fault(in text: String) -> String? {
        let scheme = text.prefix { $0 != ":" }.lowercased()
        guard scheme == "https" || scheme == "http",
            text.dropFirst(scheme.count).hasPrefix("://")
        else { return "expected an address that begins with https:// or http://" }
        let rest = text.dropFirst(scheme.count + 3)
        let host = rest.prefix { !"/?#".contains($0) }
        guard !host.contains("@") else { return "has a name or password in it: leave it out" }
        guard
            host.wholeMatch(
                of:
                    /(?:\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?)(?::[0-9]{1,5})?/
            ) != nil
        else { return "has no name of a machine behind \(scheme)://" }
        let isPlain = text.unicodeScalars.allSatisfy {
            $0.isASCII && $0.value > 0x20 && $0.value < 0x7F
                && !"\"<>\\^`{|}".unicodeScalars.contains($0)
        }
        return isPlain ? nil : "has characters that no address has: write them as %20 and the like"
    }
}
