import Basics

/// Everything that is wrong with a configuration, found in one reading. Daemons print it and
/// leave with status 78 (`EX_CONFIG`).
package struct SettingsError: Error, Equatable, Sendable, CustomStringConvertible {
    /// Where a faulty value was given.
    package enum Source: Equatable, Sendable {
        /// On a line of the file, counted from 1.
        case line(Int)
        /// In an environment variable, by its whole name.
        case variable(String)
        /// The file as such: it cannot be read.
        case file
    }

    /// One thing that is wrong.
    package struct Fault: Equatable, Sendable, CustomStringConvertible {
        /// The file, as the caller named it.
        package var file: String
        /// Where in the file, or in which variable.
        package var source: Source
        /// The keys down to the value, joined by dots, list items counted from 0:
        /// `sites[0].id`. Empty where the fault is not about one key.
        package var path: String
        /// What is wrong and what was expected.
        package var problem: String

        package init(file: String, source: Source, path: String = "", problem: String) {
            self.file = file
            self.source = source
            self.path = path
            self.problem = problem
        }

        /// One line: `node.yaml:7: broker.prot: unknown key, did you mean "port"?`.
        package var description: String {
            let subject = path.isEmpty ? "" : "\(path): "
            return switch source {
            case .line(let line): "\(file):\(line): \(subject)\(problem)"
            case .variable(let name): "\(name): \(subject)\(problem)"
            case .file: "\(file): \(subject)\(problem)"
            }
        }
    }

    /// How many faults `description` spells out; a file with more is not that kind of file.
    package static let printed = 100

    /// The faults by line, those of variables last; at least one.
    package let faults: [Fault]

    /// An error of one or more faults, sorted here.
    package init(_ faults: [Fault]) {
        precondition(!faults.isEmpty, "an error without a fault")
        self.faults = faults.sorted { a, b in
            (a.rank, a.path, a.problem) < (b.rank, b.path, b.problem)
        }
    }

    /// An error of the one fault that stops everything.
    package init(_ file: String, _ source: Source, _ problem: String) {
        self.init([Fault(file: file, source: source, problem: problem)])
    }

    /// One line per fault.
    package var description: String {
        var lines = faults.prefix(Self.printed).map(\.description)
        if faults.count > Self.printed {
            lines.append("… and \(faults.count - Self.printed) more")
        }
        return lines.joined(separator: "\n")
    }
}

extension SettingsError.Fault {
    /// Files as such first, then line by line, then variables.
    fileprivate var rank: Int {
        switch source {
        case .file: 0
        case .line(let line): line
        case .variable: Int.max
        }
    }
}

extension String {
    /// Hostile text on one line of a terminal: at most 60 characters, control and formatting
    /// characters escaped.
    package var shown: String {
        var text = ""
        for scalar in unicodeScalars.prefix(60) {
            if HarmlessText.isHarmless(scalar) {
                text.unicodeScalars.append(scalar)
            } else {
                text += scalar.escaped(asASCII: true)
            }
        }
        return unicodeScalars.count > 60 ? text + "…" : text
    }
}
