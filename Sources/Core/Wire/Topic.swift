/// The topics of one site, `mesh/v1/{site}/…`. Every level must be a slug: see `isSlug`.
package struct SiteTopics: Equatable, Sendable {
    /// The site's slug, or `+`.
    package let site: String

    package init(site: String) { self.site = site }

    /// What every topic of the site starts with, the last slash included.
    package var root: String { "mesh/v1/\(site)/" }

    /// The topic of a kind, with the names for its parameters, in their order.
    package subscript(_ kind: PayloadKind, _ names: String...) -> String {
        kind.topic.path([site] + names)
    }

    /// A message of a kind, sent as its topic says.
    package func message(
        _ kind: PayloadKind, _ names: String..., saying payload: some Payload
    ) -> Publication {
        message(kind, names, payload.json)
    }

    /// The same with a payload that is written already.
    package func message(
        _ kind: PayloadKind, _ names: String..., bytes: [UInt8]
    ) -> Publication { message(kind, names, bytes) }

    private func message(
        _ kind: PayloadKind, _ names: [String], _ payload: [UInt8]
    ) -> Publication {
        let topic = kind.topic
        return Publication(
            topic: topic.path([site] + names), payload: payload, quality: topic.quality,
            isRetained: topic.isRetained)
    }

    /// The topic of a kind with `+` for each parameter that `names` does not have.
    package func filter(_ kind: PayloadKind, _ names: [String: String] = [:]) -> String {
        kind.topic.path(kind.topic.parameters.map { $0 == "site" ? site : names[$0] ?? "+" })
    }

    /// What a coordinator subscribes to: all that others write, never its own tree.
    package var inboundFilters: [String] {
        PayloadKind.allCases.filter(\.topic.isInbound).map { filter($0) }
    }

    /// What a coordinator reads of other sites on the same broker: nobody is at two at once.
    package static let attendanceAnywhere = SiteTopics(site: "+").filter(.attendance)

    /// What a coordinator reads once after connecting, to clear what it no longer says: the
    /// retained topics of its own tree, those of earlier versions, too.
    package var ownFilters: [String] { trees { $0.isRetained } }

    /// All that a coordinator says of the site.
    package var spoken: [String] { trees { _ in true } }

    /// What it keeps reading of its own tree: a cursor that it did not tell must not be obeyed.
    package var cursors: String { filter(.cursor) }

    /// Filters of what a coordinator says: where nobody else says anything below a first level, for whatever
    /// the last one is.
    private func trees(_ isOf: (TopicSpec) -> Bool) -> [String] {
        let kinds = PayloadKind.allCases.filter { $0.topic.parameters.first == "site" }
        let others = Set(kinds.filter { $0.topic.writer != .coordinator }.map { tree(of: $0) })
        var seen: Set<String> = []
        return kinds.filter { $0.topic.writer == .coordinator && isOf($0.topic) }.map { kind in
            let whole = filter(kind)
            let levels = whole.dropFirst(root.count).split(separator: "/")
            guard levels.count > 1, !others.contains(tree(of: kind)) else { return whole }
            return root + (levels.dropLast() + ["+"]).joined(separator: "/")
        }.filter { seen.insert($0).inserted }
    }

    private func tree(of kind: PayloadKind) -> Substring {
        kind.topic.address.split(separator: "/")[3]
    }
}

/// The topics of one coordinator, `mesh/v1/core/{coordinator}/…`.
package struct CoreTopics: Equatable, Sendable {
    private let coordinator: String

    /// The topics of a coordinator, whose name is a slug.
    package init(coordinator: String) { self.coordinator = coordinator }

    /// The topic of a kind.
    package subscript(_ kind: PayloadKind) -> String { kind.topic.path([coordinator]) }

    /// All of all coordinators.
    package static let all = "mesh/v1/core/#"
}
