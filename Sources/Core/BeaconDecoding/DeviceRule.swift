/// A rule that tells what sort of device sent an advertisement. All its conditions must hold.
package struct DeviceRule: Equatable, Sendable {
    /// One condition.
    package enum Condition: Equatable, Sendable {
        /// Some manufacturer's structure is of this company and its data begin so.
        case company(UInt16, prefix: [UInt8])
        /// The name begins so, in either case.
        case namePrefix(String)
        /// The name has this in it, in either case.
        case nameContains(String)
        /// The service is offered, or something is said about it.
        case service(ServiceUUID)
        /// The address is public and begins with these three bytes.
        case vendor(UInt32)
        /// The appearance is of this category.
        case appearanceCategory(UInt16)
    }

    /// What the rule is called.
    package var id: String
    /// What sort of device it finds.
    package var deviceClass: String
    /// How sure it is, 0 ... 1.
    package var confidence: Double
    /// What must hold.
    package var conditions: [Condition]

    /// A rule; without a condition it never holds.
    package init(id: String, deviceClass: String, confidence: Double, conditions: [Condition]) {
        self.id = id
        self.deviceClass = deviceClass
        self.confidence = confidence
        self.conditions = conditions
    }

    /// The place of the surest of the rules that hold, of the earlier one if two are equally sure; `nil` if none
    /// holds.
    package static func surest(
        of rules: [DeviceRule], for contents: AdvertisingContents, publicAddress: UInt64?
    ) -> Int? {
        var surest: Int?
        for (place, rule) in rules.enumerated()
        where rule.holds(for: contents, publicAddress: publicAddress) {
            if let surest, rules[surest].confidence >= rule.confidence { continue }
            surest = place
        }
        return surest
    }

    private func holds(for contents: AdvertisingContents, publicAddress: UInt64?) -> Bool {
        !conditions.isEmpty
            && conditions.allSatisfy { condition in
                switch condition {
                case .company(let company, let prefix):
                    contents.manufacturerData.contains {
                        $0.company == company && $0.bytes.starts(with: prefix)
                    }
                case .namePrefix(let prefix):
                    // By scalars, lest an accent that follows hide the prefix.
                    contents.name?.text.lowercased().unicodeScalars
                        .starts(with: prefix.lowercased().unicodeScalars) ?? false
                case .nameContains(let part):
                    contents.name?.text.lowercased().unicodeScalars
                        .contains(part.lowercased().unicodeScalars) ?? false
                case .service(let service):
                    contents.services.contains(service)
                        || contents.serviceData.contains { $0.service == service }
                case .vendor(let vendor):
                    publicAddress.map { $0 >> 24 == UInt64(vendor) } ?? false
                case .appearanceCategory(let category):
                    contents.appearance.map { $0 >> 6 == category } ?? false
                }
            }
    }
}
