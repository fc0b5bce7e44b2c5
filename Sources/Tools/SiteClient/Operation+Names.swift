import Foundation
import Operations
import Registry
import Reporting
import SiteService
import SiteStore

extension SiteService.Operation {
    /// What is typed, with the ids of what is named. Throws an `Exit`.
    package func meant(
        _ typed: Given.Texts, in store: Store
    ) throws -> Given.Texts {
        try named(typed, in: store).map { name, value in
            let kind = parameters.first { $0.name == name }?.kind
            guard !value.isEmpty else { return (name, value) }
            switch kind {
            case .reference(let collection):
                return (name, try Self.id(of: value, in: collection, store))
            case .list(.reference(let collection)):
                let names = value.filter { !"[]".contains($0) }.split(
                    separator: ",", omittingEmptySubsequences: false)
                let ids = try names.map {
                    try Self.id(
                        of: $0.trimmingCharacters(in: .whitespaces), in: collection, store)
                }
                return (name, ids.joined(separator: ","))
            default: return (name, value)
            }
        }
    }

    /// What is typed, where what stands for the id of something new may be its name: an id is made of that, and of a
    /// person's name none, as the id is their pseudonym.
    private func named(
        _ typed: Given.Texts, in store: Store
    ) throws -> Given.Texts {
        guard let kind = SiteCollection.all.first(where: { name == "\($0.one)-add" }),
            let index = typed.firstIndex(where: { $0.name == "id" && !$0.value.isSlug })
        else { return typed }
        let text = typed[index].value
        let taken = Set(try SiteRows(reading: store).labels(kind).map(\.id))
        var typed = typed
        if !typed.contains(where: { $0.name == kind.label }) { typed.append((kind.label, text)) }
        typed[index].value = kind == .users ? Self.pseudonym(taken) : Self.slug(of: text, taken)
        return typed
    }

    private static func pseudonym(_ taken: Set<String>) -> String {
        let letters = Array("abcdefghijkmnpqrstuvwxyz23456789")
        while true {
            let id = "u-" + String((0..<6).compactMap { _ in letters.randomElement() })
            if !taken.contains(id) { return id }
        }
    }

    /// The letters and digits of a text as far as an id may have them, with a number where that is taken.
    package static func slug(of text: String, _ taken: Set<String> = []) -> String {
        let plain = text.decomposedStringWithCompatibilityMapping.lowercased()
            .replacing("ß", with: "ss").unicodeScalars
            .filter { !$0.properties.isDiacritic }
            .map { $0.isASCII && String($0).isSlug ? Character($0) : "-" }
        let words = String(plain).split(separator: "-").joined(separator: "-").prefix(60)
        let base = words.isEmpty ? "new" : String(words)
        guard taken.contains(base) else { return base }
        return (2...).lazy.map { "\(base)-\($0)" }.first { !taken.contains($0) } ?? base
    }

    private static func id(
        of text: String, in collection: String, _ store: Store
    ) throws -> String {
        switch collection {
        case "users":
            // Who left is meant only where nobody who is there can be.
            try (try? NameResolver.person(text, in: store, isActive: true).slug)
                ?? NameResolver.person(text, in: store).slug
        case "shifts": try NameResolver.shift(text, in: store)
        default:
            try SiteCollection.named(collection).map {
                try SiteRows(reading: store).find($0, text)
            } ?? text
        }
    }
}
