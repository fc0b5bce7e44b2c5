import Wire

/// The topics of a site that a page asks for: filters without `mesh/v1/{site}/`; those of a coordinator begin with
/// `core/`.
struct TopicChoice: Hashable, Sendable {
    /// The most filters, and the most characters of all.
    static let most = 32
    static let longest = 1024

    private let filters: [TopicFilter]

    /// The filters of a list with commas; `nil` if that is too long, or one of them is no filter.
    init?(_ list: String) {
        // A plus sign that was not escaped arrives as a space, which no topic of a site has.
        let parts = list.replacing(" ", with: "+").split(
            separator: ",", omittingEmptySubsequences: false)
        guard list.utf8.count <= Self.longest, parts.count <= Self.most else { return nil }
        filters = parts.compactMap { TopicFilter(String($0)) }
        guard filters.count == parts.count else { return nil }
    }

    /// Whether a topic `mesh/v1/{site}/…` or `mesh/v1/core/…` is asked for.
    func includes(_ topic: String) -> Bool {
        var levels = topic.split(separator: "/", omittingEmptySubsequences: false).dropFirst(2)
        if levels.first != "core" { levels = levels.dropFirst() }
        let asked = Array(levels)
        return filters.contains { $0.matches(levels: asked) }
    }
}
