import Hummingbird

/// How a visitor wants pages to be. The browser keeps it in cookies that hold nothing else.
struct PagePreferences: Equatable, Sendable {
    /// What the colours are.
    enum Theme: String, CaseIterable, Sendable {
        case light
        case dark
    }

    static let languageCookie = "beaconmesh_language"
    static let themeCookie = "beaconmesh_theme"

    var language = PageLanguage.en
    /// `nil`: as the machine has it.
    var theme: Theme?

    init() {}

    init(of request: Request) {
        let cookies = request.headers[values: .cookie]
        language = PageLanguage(
            chosen: Access.values(of: Self.languageCookie, in: cookies).first,
            accepted: request.headers[values: .acceptLanguage].joined(separator: ","))
        theme = Access.values(of: Self.themeCookie, in: cookies).first.flatMap(Theme.init)
    }
}
