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
        try typed.map { name, value in
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
