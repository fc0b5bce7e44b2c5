import Basics

/// Finds which exercise of the site a name of another program means. It does so if the name is
/// written like one of the site's names, whatever its case, spaces and brackets, so that “Bench
/// Press (Barbell)” is “bench press barbell”; or if people said what it means. Nothing is ever
/// guessed.
package struct ExerciseNames: Sendable {
    /// An exercise of the site.
    package struct Known: Equatable, Sendable {
        package var slug: String
        package var name: String
        /// What it is called in other languages.
        package var others: [String]

        package init(slug: String, name: String, others: [String] = []) {
            self.slug = slug
            self.name = name
            self.others = others
        }
    }

    /// A name that is none of the site.
    package struct Unknown: Equatable, Sendable {
        /// As it stands in the file. Hostile text on one line.
        package var name: String
        /// The slug that is written most like it, for people to look at; `nil` if none is.
        package var suggestion: String?
    }

    /// So many unknown names get a suggestion. It takes time, and a hostile file may have 200,000.
    static let mostSuggestions = 200

    private let slugs: Set<String>
    /// The slugs of the exercises that have a name, by the folded name. Of several, none is meant.
    private let named: [String: Set<String>]
    /// What people said, by the folded name.
    private let said: [String: String]
    /// The slug for each way in which somebody may write an exercise, with hyphens for blanks.
    private let spellings: [String: String]
    /// These ways, sorted.
    private let sortedSpellings: [String]

    /// - Parameters:
    ///   - known: The exercises of the site.
    ///   - map: What people say that names mean: the slug by the name. It goes before all names of
    ///     the site.
    /// - Throws: If a slug of the map is none of the site, or the map says two things of one name.
    package init(_ known: [Known], map: [String: String] = [:]) throws(HistoryFault) {
        slugs = Set(known.map(\.slug))
        var named: [String: Set<String>] = [:]
        var spellings: [String: String] = [:]
        for exercise in known.sorted(by: { $0.slug < $1.slug }) {
            for name in [exercise.name] + exercise.others {
                let folded = Self.folded(name)
                named[folded, default: []].insert(exercise.slug)
                let spelling = Self.hyphenated(folded)
                spellings[spelling] = spellings[spelling] ?? exercise.slug
            }
        }
        for slug in slugs { spellings[slug] = slug }
        var said: [String: String] = [:]
        for (name, slug) in map.sorted(by: { $0.key < $1.key }) {
            guard slugs.contains(slug) else {
                throw HistoryFault(
                    "\(HistoryFault.shown(name)) is to mean \(HistoryFault.shown(slug)), which is"
                        + " no exercise of the site")
            }
            if let other = said.updateValue(slug, forKey: Self.folded(name)), other != slug {
                throw HistoryFault(
                    "\(HistoryFault.shown(name)) is to mean both \(other) and \(slug)")
            }
        }
        self.named = named
        self.said = said
        self.spellings = spellings
        sortedSpellings = spellings.keys.sorted()
    }

    /// The slug of the exercise that a name or a slug means, or `nil` if that is not known.
    package func slug(of name: String) -> String? {
        let folded = Self.folded(name)
        if let slug = said[folded] { return slug }
        if slugs.contains(name) { return name }
        guard let meant = named[folded], meant.count == 1 else { return nil }
        return meant.first
    }

    /// Those of some names that are not known, sorted. Of names that differ in case, spaces and
    /// brackets only, the first is there.
    package func unknown(among names: some Sequence<String>) -> [Unknown] {
        var seen: Set<String> = []
        let missing = Set(names).sorted().filter { name in
            slug(of: name) == nil && seen.insert(Self.folded(name)).inserted
        }
        return missing.enumerated().map { index, name in
            Unknown(
                name: name, suggestion: index < Self.mostSuggestions ? suggestion(for: name) : nil)
        }
    }

    /// Other programs name the equipment in brackets, behind the movement: people write it in
    /// front, or not at all.
    private func suggestion(for name: String) -> String? {
        var tries = [Self.folded(name)]
        if let bracket = name.firstIndex(where: { "([{".contains($0) }) {
            let movement = Self.folded(String(name[..<bracket]))
            let equipment = Self.folded(String(name[bracket...]))
            tries += ["\(equipment) \(movement)", movement]
        }
        for text in tries {
            let spelling = Self.hyphenated(text)
            if let near = Suggestion.nearest(to: spelling, among: sortedSpellings) {
                return spellings[near]
            }
        }
        return nil
    }

    /// A name without what makes no difference: small letters, one blank between words, no
    /// brackets.
    static func folded(_ name: String) -> String {
        name.lowercased().split { $0.isWhitespace || "()[]{}".contains($0) }
            .joined(separator: " ")
    }

    private static func hyphenated(_ folded: String) -> String {
        folded.replacing(" ", with: "-")
    }
}
