import Operations
import Settings
import SiteModel

/// A setting of a site, declared once: its file is read and written by it, and what is asked and answered of it, its
/// description and its field on a page follow.
package struct SettingMember<Subject: Sendable>: Sendable {
    /// Its key, what it may be, what it is where nothing is said, and what it does.
    package let parameter: Parameter
    let read: @Sendable (inout SettingsReader, inout Subject) -> Void
    /// `nil`: nothing is said of it.
    let write: @Sendable (Subject) -> SiteTree?

    /// The same setting of what has the subject in it.
    func of<Outer>(_ path: WritableKeyPath<Outer, Subject> & Sendable) -> SettingMember<Outer> {
        SettingMember<Outer>(parameter: parameter) { settings, outer in
            read(&settings, &outer[keyPath: path])
        } write: {
            write($0[keyPath: path])
        }
    }

    /// A section that is there in any case. `rule` refuses what each of its settings may be, but not all of them together.
    static func section<Inner: Sendable>(
        _ name: String, _ members: [SettingMember<Inner>],
        _ path: WritableKeyPath<Subject, Inner> & Sendable, _ text: String = "",
        rule: @escaping @Sendable (Inner, inout SettingsReader) -> Void = { _, _ in }
    ) -> SettingMember {
        SettingMember(
            parameter: .always(name, .object(members.map(\.parameter)), text)
        ) { settings, subject in
            settings.section(name) { section in
                members.read(&section, &subject[keyPath: path])
                rule(subject[keyPath: path], &section)
            }
        } write: {
            members.tree(of: $0[keyPath: path])
        }
    }

    /// A section that a file need not have: all of it is as usual then.
    static func section<Inner: Sendable>(
        _ name: String, _ members: [SettingMember<Inner>],
        _ path: WritableKeyPath<Subject, Inner?> & Sendable, usual: Inner, _ text: String = ""
    ) -> SettingMember {
        SettingMember(
            parameter: Parameter(name, .object(members.map(\.parameter)), text)
        ) { settings, subject in
            subject[keyPath: path] = settings.sectionIfPresent(name) { section in
                var inner = usual
                members.read(&section, &inner)
                return inner
            }
        } write: {
            $0[keyPath: path].map { members.tree(of: $0) }
        }
    }
}

extension Array {
    /// Reads settings in their order.
    func read<Subject>(_ settings: inout SettingsReader, _ subject: inout Subject)
    where Element == SettingMember<Subject> {
        for member in self { member.read(&settings, &subject) }
    }

    /// Settings as a file has them.
    package func tree<Subject>(of subject: Subject) -> SiteTree
    where Element == SettingMember<Subject> {
        .section(
            compactMap { member in
                member.write(subject).map { (member.parameter.name, $0) }
            })
    }
}

/// Declares settings of a subject; what a new one has is what they are where nothing is said.
struct Declaring<Subject: Sendable>: Sendable {
    let usual: Subject
    /// Whether anything is said of them; if not, they are not written. `nil`: they are in any case.
    var isSaid: (@Sendable (Subject) -> Bool)?

    /// A length of time in seconds.
    func seconds(
        _ name: String, in range: ClosedRange<Double>,
        _ path: WritableKeyPath<Subject, Timestamp.Span> & Sendable, _ text: String
    ) -> SettingMember<Subject> {
        let usual = usual[keyPath: path].seconds
        return member(name, .decimal(range), .number(usual), text) { settings, subject in
            subject[keyPath: path] = .seconds(settings.seconds(name, in: range, default: usual))
        } write: {
            .number($0[keyPath: path].seconds)
        }
    }

    /// A level in dBm.
    func level(
        _ name: String, _ path: WritableKeyPath<Subject, RSSI> & Sendable, _ text: String
    ) -> SettingMember<Subject> {
        let (usual, range) = (usual[keyPath: path].dBm, -127.0...20)
        return member(name, .decimal(range), .number(usual), text) { settings, subject in
            subject[keyPath: path] = RSSI(
                dBm: settings.number(name, in: range, default: usual))
        } write: {
            .number($0[keyPath: path].dBm)
        }
    }

    func flag(
        _ name: String, _ path: WritableKeyPath<Subject, Bool> & Sendable, _ text: String
    ) -> SettingMember<Subject> {
        let usual = usual[keyPath: path]
        return member(name, .flag, .flag(usual), text) { settings, subject in
            subject[keyPath: path] = settings.bool(name, default: usual)
        } write: {
            .flag($0[keyPath: path])
        }
    }

    func word<Word: CaseIterable & RawRepresentable<String> & Sendable>(
        _ name: String, _ path: WritableKeyPath<Subject, Word> & Sendable, _ text: String
    ) -> SettingMember<Subject> {
        let usual = usual[keyPath: path]
        return member(name, .oneOf(Word.self), .text(usual.rawValue), text) {
            settings, subject in
            subject[keyPath: path] = settings.choice(name, default: usual)
        } write: {
            .text($0[keyPath: path].rawValue)
        }
    }

    /// A number of which nothing need be said.
    func number(
        _ name: String, in range: ClosedRange<Double>,
        _ path: WritableKeyPath<Subject, Double?> & Sendable, _ text: String
    ) -> SettingMember<Subject> {
        SettingMember(
            parameter: Parameter(name, .decimal(range), text)
        ) { settings, subject in
            subject[keyPath: path] = settings.numberIfPresent(name, in: range)
        } write: {
            $0[keyPath: path].map { .number($0) }
        }
    }

    private func member(
        _ name: String, _ kind: Parameter.Kind, _ preset: SiteTree, _ text: String,
        read: @escaping @Sendable (inout SettingsReader, inout Subject) -> Void,
        write: @escaping @Sendable (Subject) -> SiteTree
    ) -> SettingMember<Subject> {
        var parameter = Parameter(name, kind, isNeeded: isSaid == nil, text)
        parameter.preset = preset.json
        return SettingMember(parameter: parameter, read: read) { [isSaid] in
            isSaid?($0) ?? true ? write($0) : nil
        }
    }
}
