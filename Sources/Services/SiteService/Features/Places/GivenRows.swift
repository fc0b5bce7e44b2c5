import JSON
import Operations
import Registry

/// Rows of several collections, or their ids.
struct GivenRows: Sendable {
    /// In the order in which they are written.
    var rows: [(kind: SiteCollection, rows: [SiteTree])]

    /// A list for each of some collections, of what `form` says.
    static func input(
        _ kinds: [SiteCollection], _ form: (SiteCollection) -> Parameter.Kind
    ) -> InputForm<GivenRows> {
        InputForm(
            kinds.enumerated().map { member($0, Parameter($1.name, form($1))) },
            longest: SiteFile.largest
        ) { GivenRows(rows: kinds.map { ($0, []) }) }
    }

    private static func member(_ index: Int, _ parameter: Parameter) -> Member<GivenRows> {
        let isOfIDs =
            if case .list(.reference) = parameter.kind { true } else { false }
        return Member(parameter, parameter.kind.expectation) {
            value, json, given throws(PayloadError) in
            given.rows[index].rows = try value.list(json) { (item, json) throws(PayloadError) in
                let row = try SiteTree(item, json)
                switch row {
                case .text(let slug) where isOfIDs && slug.isSlug: return row
                case .section where !isOfIDs:
                    guard let id = row["id"] else { throw .missing(field: "\(parameter.name).id") }
                    guard id.string?.isSlug == true else {
                        throw .wrongType(field: "\(parameter.name).id")
                    }
                    return row
                default: throw .wrongType(field: parameter.name)
                }
            }
            let ids = given.rows[index].rows.map { ($0.string ?? $0["id"]?.string) ?? "" }
            guard Set(ids).count == ids.count else {
                throw .repeatedMember(field: parameter.name)
            }
        } typed: { text, given in
            guard let items = (try? SiteTree(json: text))?.items else { return false }
            given.rows[index].rows = items
            return true
        } write: { given, writer in
            writer.key(parameter.name)
            writer.raw(Array(SiteTree.list(given.rows[index].rows).json.utf8))
        } value: { _ in
            nil
        }
    }
}
