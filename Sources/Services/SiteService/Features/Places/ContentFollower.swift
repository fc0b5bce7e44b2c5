import Foundation
import Platform
import Records
import Registry
import SiteModel
import SiteStore

/// Keeps the cards of a site as its source has them. What is broken there changes nothing.
struct ContentFollower: Sendable {
    /// The largest picture, in bytes.
    private static let largestPicture = 4 << 20
    /// So many pictures at most are asked for in a turn.
    private static let mostPictures = 20

    private let desk: WriteDesk

    init(_ desk: WriteDesk) { self.desk = desk }

    /// Asks if it is time to. What is wrong with what was asked last; `nil`: nothing.
    func turn() async -> String? {
        let (store, now) = (desk.store, desk.clock.now)
        let due = try? await Blocking.run { try ContentSource(store).due(at: now) }
        guard case let (settings, tag)?? = due, let url = settings.source else {
            return try? await Blocking.run { try ContentSource(store).state().fault }
        }
        let outcome = try? await Blocking.run {
            ContentFetch(allowsPrivate: settings.isPrivate)
                .get(url, tag: tag, limit: ContentFile.largest)
        }
        var (fault, known): (String?, String?) = (nil, tag)
        switch outcome {
        case .same?:
            let missing = try? await Blocking.run {
                try ContentImport(store).missing(of: settings.group)
            }
            await fetchPictures(missing ?? [], beside: url, settings)
        case .refused(let why)?: fault = why
        case .file(let bytes, let newTag)?:
            known = newTag
            do {
                let done = try await write { store, asker in
                    try ContentImport(store).perform(
                        bytes, group: settings.group, isAsked: false, by: asker)
                }
                await fetchPictures(done.missing, beside: url, settings)
            } catch {
                fault = (error as? BooksRefusal)?.text ?? "\(error)"
            }
        case nil: fault = "nobody has time for it"
        }
        do {
            try await write { [fault, known] store, asker in
                try ContentSource(store).note(url, fault: fault, tag: known, at: asker.at)
            }
        } catch {
            return "\(error)"
        }
        return fault
    }

    /// Pictures that are not there, at `images/` beside the list. One that is none is left out.
    private func fetchPictures(
        _ names: [String], beside url: String, _ settings: ContentSettings
    ) async {
        guard let base = URL(string: "images/", relativeTo: URL(string: url)) else { return }
        // Any of them: names of pictures that nobody has must not keep the others out.
        for name in names.shuffled().prefix(Self.mostPictures) {
            let files = name.contains(".") ? [name] : [name + ".png", name]
            for file in files {
                let address = base.absoluteString + file
                let outcome = try? await Blocking.run {
                    ContentFetch(allowsPrivate: settings.isPrivate)
                        .get(address, limit: Self.largestPicture)
                }
                // What does not answer does not for the next one either.
                if case .refused("does not answer")? = outcome { return }
                guard case .file(let bytes, _)? = outcome,
                    let png = (try? Picture(png: bytes))?.png
                else { continue }
                _ = try? await write { store, asker in
                    try CardPictures(store).put(png, named: name, by: asker)
                }
                break
            }
        }
    }

    private func write<Value: Sendable>(
        _ work: @escaping @Sendable (Store, Asker) throws -> Value
    ) async throws -> Value {
        let clock = desk.clock
        return try await desk.mailbox.ask(within: LocalRequest.patience, storing: .together) {
            store in
            try store.undoing {
                try work(store, Asker(name: "core", via: .core, at: clock.now))
            }
        }
    }
}
