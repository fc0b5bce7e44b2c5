/// A value of a configuration and where it was given: what is left of YAML once its syntax is
/// understood, and what environment variables are laid over.
package struct SettingsNode: Equatable {
    /// What can stand at a key.
    enum Value: Equatable {
        /// Nothing, `~` or `null`: as if the key were not there.
        case empty
        case scalar(Scalar)
        case list([SettingsNode])
        case section([Entry])
    }

    /// One value as it was written.
    struct Scalar: Equatable {
        /// How it was written decides whether `5` may be text.
        enum Style: Equatable {
            case plain
            case quoted
            /// From an environment variable, where there are no quotes: it may be anything.
            case untyped
        }

        var text: String
        var style: Style
    }

    /// A key with its value. Keys of a section are unique.
    struct Entry: Equatable {
        var key: String
        var node: SettingsNode
    }

    var value: Value
    /// Where the key stands; of a list item, where the item begins.
    var source: SettingsError.Source

    /// The value for a person who reads a fault: `"70000"`, `a list`.
    var shown: String {
        switch value {
        case .empty: "nothing"
        case .scalar(let scalar): "\"\(scalar.text.shown)\""
        case .list: "a list"
        case .section: "a section of keys"
        }
    }

    /// The entries of a section; none of anything else.
    var entries: [Entry] {
        if case .section(let entries) = value { entries } else { [] }
    }
}
