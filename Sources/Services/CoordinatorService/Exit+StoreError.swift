import SiteStore
import Platform

extension Exit {
    /// The end of a program that was not given its database: 75 while somebody else has it, 78 if
    /// trying again would not help.
    package init(refusing error: StoreError) {
        let code =
            switch error {
            case .owned, .busy: Self.unfinished
            default: Int32(78)
            }
        self.init(code: code, text: error.description)
    }
}
