import TestSupport
import Testing

@testable import Broker
@testable import Operations
@testable import SiteModel
@testable import Wire

/// What each verb refuses follows from its declaration: with the same code over MQTT and HTTP, and nothing is
/// written.
@Suite(.ownThread) struct ProcessVerbTests {
    /// Arguments of which one thing is not as declared: a member more, of another kind, twice, or missing.
    private func faults(
        _ verb: Verb, _ good: VerbArguments, in parameters: [Parameter]
    ) -> [VerbArguments] {
        var faults = [good.adding("zz", "1")]
        for parameter in parameters {
            let (name, value) = (parameter.name, parameter.kind.example)
            faults += parameter.kind.wrong.map { good.with(name, $0) }
            faults.append(good.with(name, value).adding(name, value))
            // Of which workout it is says whose it is, but not over MQTT.
            let isSaid = good["id"] != nil && name == verb.subject.parameter
            if verb.needs(parameter), !isSaid { faults.append(good.with(name, nil)) }
        }
        return faults
    }

    /// Arguments that name something that there is not.
    private func strangers(_ good: VerbArguments) -> [VerbArguments] {
        [
            ("user", #""u-nobody""#), ("station", #""nowhere""#), ("session", "999999"),
            ("correction", "999999"),
        ].filter { good[$0.0] != nil }.map { good.with($0.0, $0.1) }
    }

    @Test func `what is not as declared, or not there, is refused over both ways`() throws {
        let asked = try AskedSite()
        defer { asked.site.stop() }
        let before = try asked.site.written()
        try asked.promotePhone()
        for verb in Verb.all {
            let good = asked.arguments(verb, of: 0)
            for way in AskedSite.Way.allCases {
                let good = way.arguments(good, of: verb)
                for fault in faults(verb, good, in: way.parameters(of: verb)) {
                    let code = try asked.refusal(way, verb, fault)
                    #expect(code == "schema", "\(way) \(verb.name) \(fault.json)")
                }
                for stranger in strangers(good) {
                    let code = try asked.refusal(way, verb, stranger)
                    #expect(code == "not_found", "\(way) \(verb.name) \(stranger.json)")
                }
            }
            // What stands in a path names nothing, if it is not as declared.
            for parameter in verb.pathParameters
            where verb.wraps == nil || parameter.name == verb.wraps {
                for value in ["0", "x", "1.5"] {
                    let code = try asked.refusal(.http, verb, good.with(parameter.name, value))
                    #expect(code == "not_found", "\(verb.name) \(value)")
                }
            }
        }
        #expect(try asked.site.written() == before)
    }

    @Test func `a member asks for nothing about another over either way`() throws {
        let asked = try AskedSite()
        defer { asked.site.stop() }
        let before = try asked.site.written()
        let member = try asked.invite("ben", "member", person: 1)
        for verb in Verb.all {
            let others = asked.arguments(verb, of: 2)
            for arguments in [others] + strangers(others) {
                for way in AskedSite.Way.allCases {
                    let code = try asked.refusal(way, verb, arguments, as: member)
                    // Also of what there is not: nobody learns what there is.
                    #expect(code == "forbidden", "\(way) \(verb.name) \(arguments.json)")
                }
            }
        }
        #expect(try asked.site.written() == before)
    }

    @Test func `what comes again is answered alike, and refused if it is something else`() throws {
        let asked = try AskedSite()
        defer { asked.site.stop() }
        try asked.promotePhone()
        for (way, person) in [(AskedSite.Way.mqtt, 0), (AskedSite.Way.http, 1)] {
            var earlier: String?
            for verb in Verb.all {
                var good = asked.arguments(verb, of: person)
                // The session of this one stays.
                if good["session"] != nil { good["session"] = asked.sessions[2] }
                if verb.namesWorkout { try workout(for: verb, of: person, way, asked, &good) }
                if verb.name == "offer-accept" { try offer(to: person, way, asked, good) }
                let words = ["reason", "note"].first { name in
                    verb.parameters.contains { $0.name == name }
                }
                let other =
                    words.map { good.with($0, #""something else""#) }
                    ?? good.with("user", "\"\(asked.site.people[2].slug)\"")
                let before = try asked.site.written()
                let first = try asked.refusal(way, verb, good, key: verb.name)
                #expect(first == nil, "\(way) \(verb.name) \(good.json)")
                let done = try asked.site.written()
                if verb.name.hasSuffix("check-in") { #expect(done != before) }
                #expect(try asked.refusal(way, verb, good, key: verb.name) == nil)
                let code = try asked.refusal(way, verb, other, key: verb.name)
                #expect(code == "idempotency_mismatch", "\(way) \(verb.name) \(other.json)")
                // A key is of one request, whichever verb it was and whoever answers it.
                if let earlier {
                    let code = try asked.refusal(way, verb, good, key: earlier)
                    #expect(code == "idempotency_mismatch", "\(way) \(earlier) \(verb.name)")
                }
                earlier = verb.name
                #expect(try asked.site.written() == done, "\(way) \(verb.name)")
            }
            // Whoever is next finds the station free.
            let user = VerbArguments(of: .cancelWorkout).with(
                "user", "\"\(asked.site.people[person].slug)\"")
            #expect(try asked.refusal(way, .cancelWorkout, user, key: "last") == nil)
        }
    }

    /// Waits for a station where a slot is free, so that it is offered.
    private func offer(
        to person: Int, _ way: AskedSite.Way, _ asked: AskedSite, _ good: VerbArguments
    ) throws {
        let join = try #require(Verb.all.first { $0.name == "queue-join" })
        #expect(try asked.refusal(way, join, good, key: "wait") == nil)
    }

    /// What must have been asked before a verb about a workout can be done.
    private func workout(
        for verb: Verb, of person: Int, _ way: AskedSite.Way, _ asked: AskedSite,
        _ good: inout VerbArguments
    ) throws {
        let user = VerbArguments(of: .startWorkout).with("user", good["user"])
        if verb.name == Verb.cancelWorkout.name {
            #expect(try asked.refusal(way, .startWorkout, user, key: "again") == nil)
        }
        guard verb.name == Verb.reopenWorkout.name else { return }
        #expect(try asked.refusal(way, .startWorkout, user, key: "more") == nil)
        #expect(try asked.refusal(way, .completeWorkout, user, key: "over") == nil)
        good["id"] = try asked.site.rows("SELECT max(id) FROM workout")[0]
    }

    @Test func `what the broker has kept is neither answered nor done`() throws {
        let own = try EnrolledSite()
        defer { own.site.stop() }
        let site = own.site
        try own.startBroker()
        let phone = try own.client("ann-phone")
        #expect(try phone.isIn(site))
        var answered: [String] = []
        var isSubscribed = false
        var published = 0
        phone.client.onMessage = { topic, _, _, _ in answered.append(topic) }
        phone.client.onSubscribed = { _, _ in isSubscribed = true }
        phone.client.onPublished = { _ in published += 1 }
        try phone.client.subscribe([site.topics.root + "res/ann-phone/+"], quality: 1)
        func publish(_ verb: Verb, _ arguments: VerbArguments, isRetained: Bool) throws {
            let topic = site.topics[.request, "ann-phone", verb.name]
            let payload = "{\"id\":\"\(verb.name)\",\"args\":\(arguments.json)}"
            try phone.client.publish(
                Publication(
                    topic: topic, payload: Array(payload.utf8), quality: 1,
                    isRetained: isRetained))
        }
        for verb in Verb.all {
            var arguments = VerbArguments(of: verb)
            if arguments["user"] != nil { arguments["user"] = "\"\(site.people[0].slug)\"" }
            try publish(verb, arguments, isRetained: true)
        }
        try site.wait("the broker has them") {
            phone.work()
            return isSubscribed && published == Verb.all.count
        }
        // As a newcomer the coordinator is given what the broker has kept.
        try site.startCoordinator()
        try site.wait("they are counted") {
            try site.metric("mesh_messages_rejected_total{reason=\"retained\"}")
                == Double(Verb.all.count)
        }
        try publish(
            .pauseWorkout, VerbArguments(of: .pauseWorkout).adding("zz", "1"), isRetained: false)
        try site.wait("what was not retained is answered") {
            phone.work()
            return !answered.isEmpty
        }
        #expect(
            answered == [site.topics[.response, "ann-phone", "workout-pause"]])
        #expect(try site.written() == ["0 0 0 0 0 0"])
    }
}
