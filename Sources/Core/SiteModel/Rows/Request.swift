/// Something somebody asks of the machines. Asked again with the same id, it is answered alike.
package struct Request: Equatable, Sendable, Codable {
    /// What is asked, by the machine that answers it.
    package enum Verb: Equatable, Sendable, Codable {
        case attendance(UserID, Attendance)
        /// `workout` is the row of the one that is meant; without it, it is the open or the newest one.
        case training(UserID, Training, workout: Int64? = nil)
        /// Somebody waits for a station, or has it.
        case queue(UserID, Queue, StationID)
        /// A station is out of order, or can be used again.
        case service(StationID, isOutOfOrder: Bool, note: String?)
        /// Somebody or something that is not there, by a number for all that was said, in hexadecimal digits.
        case unknown(arguments: String)

        /// Whom it is about, if it is about somebody.
        package var user: UserID? {
            switch self {
            case .attendance(let user, _), .training(let user, _, _), .queue(let user, _, _): user
            case .service, .unknown: nil
            }
        }
    }

    /// What is asked about somebody's attendance.
    package enum Attendance: Equatable, Sendable, Codable {
        /// They are in, from a moment on, or from now.
        case checkIn(at: Timestamp?, reason: String?)
        /// They left at a moment, or now.
        case checkOut(at: Timestamp?, reason: String?)

        /// What they say by it.
        package var statement: (kind: Statement.Kind, at: Timestamp?, reason: String?) {
            switch self {
            case .checkIn(let at, let reason): (.checkIn, at, reason)
            case .checkOut(let at, let reason): (.checkOut, at, reason)
            }
        }
    }

    /// What is asked about somebody's workout.
    package enum Training: Equatable, Sendable, Codable {
        /// Start one, at a station or nowhere in particular.
        case start(StationID?)
        /// Interrupt the open one.
        case pause
        /// Go on with it.
        case resume
        /// Go to another station, or give the one away.
        case move(StationID?)
        /// End it, at a moment or now.
        case complete(at: Timestamp? = nil)
        /// End it as one that counts nowhere.
        case cancel
        /// Go on with one that has ended.
        case reopen
        /// A set was done.
        case addSet(GivenSet)
        /// A set was another one; `revision` is the one that was looked at.
        case changeSet(GivenSet, revision: Int64)
        /// A set was none.
        case deleteSet(key: String)
        /// One that is over is logged.
        case past(Past)
    }

    /// A workout that is over, as it was sent; what is missing or too much is refused when it is performed.
    package struct Past: Equatable, Sendable, Codable {
        package var from: Timestamp?
        package var to: Timestamp?
        /// It takes no slot: refused.
        package var station: StationID?
        package var sets: [GivenSet]

        package init(
            from: Timestamp?, to: Timestamp?, station: StationID? = nil, sets: [GivenSet] = []
        ) {
            self.from = from
            self.to = to
            self.station = station
            self.sets = sets
        }

        /// The time it takes; `nil` if that is none.
        package var span: Interval? {
            guard let from, let to, from < to else { return nil }
            return Interval(from: from, to: to)
        }
    }

    /// What is asked about the queue of a station.
    package enum Queue: String, Equatable, Sendable, Codable {
        case join
        case leave
        /// Take the slot that is offered.
        case accept
    }

    /// Who asks: the client of the topic.
    package var client: String
    /// The client's own number for this request.
    package var id: String
    /// What the verb is called: the last level of the topic it came on.
    package var name: String
    /// What is asked.
    package var verb: Verb

    package init(client: String, id: String, name: String, verb: Verb) {
        self.client = client
        self.id = id
        self.name = name
        self.verb = verb
    }

    /// Also one that was stored before it had a name.
    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        client = try values.decode(String.self, forKey: .client)
        id = try values.decode(String.self, forKey: .id)
        verb = try values.decode(Verb.self, forKey: .verb)
        name =
            try values.decodeIfPresent(String.self, forKey: .name)
            ?? values.decode(Verb.Former.self, forKey: .verb).name
    }
}

extension Request.Verb {
    /// As they were stored before there were two levels.
    fileprivate enum Former: Decodable {
        case startWorkout(UserID, StationID?)
        case pauseWorkout(UserID)
        case resumeWorkout(UserID)
        case completeWorkout(UserID)
        case checkIn(UserID, at: Timestamp?, reason: String?)
        case checkOut(UserID, at: Timestamp?, reason: String?)

        var name: String {
            switch self {
            case .startWorkout: "workout-start"
            case .pauseWorkout: "workout-pause"
            case .resumeWorkout: "workout-resume"
            case .completeWorkout: "workout-complete"
            case .checkIn: "attendance-check-in"
            case .checkOut: "attendance-check-out"
            }
        }

        var verb: Request.Verb {
            switch self {
            case .startWorkout(let user, let station): .training(user, .start(station))
            case .pauseWorkout(let user): .training(user, .pause)
            case .resumeWorkout(let user): .training(user, .resume)
            case .completeWorkout(let user): .training(user, .complete())
            case .checkIn(let user, let at, let reason):
                .attendance(user, .checkIn(at: at, reason: reason))
            case .checkOut(let user, let at, let reason):
                .attendance(user, .checkOut(at: at, reason: reason))
            }
        }
    }

    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        if values.contains(.attendance) {
            let values = try values.nestedContainer(
                keyedBy: AttendanceCodingKeys.self, forKey: .attendance)
            self = .attendance(
                try values.decode(UserID.self, forKey: ._0),
                try values.decode(Request.Attendance.self, forKey: ._1))
        } else if values.contains(.training) {
            let values = try values.nestedContainer(
                keyedBy: TrainingCodingKeys.self, forKey: .training)
            self = .training(
                try values.decode(UserID.self, forKey: ._0),
                try values.decode(Request.Training.self, forKey: ._1),
                workout: try values.decodeIfPresent(Int64.self, forKey: .workout))
        } else if values.contains(.queue) {
            let values = try values.nestedContainer(
                keyedBy: QueueCodingKeys.self, forKey: .queue)
            self = .queue(
                try values.decode(UserID.self, forKey: ._0),
                try values.decode(Request.Queue.self, forKey: ._1),
                try values.decode(StationID.self, forKey: ._2))
        } else if values.contains(.service) {
            let values = try values.nestedContainer(
                keyedBy: ServiceCodingKeys.self, forKey: .service)
            self = .service(
                try values.decode(StationID.self, forKey: ._0),
                isOutOfOrder: try values.decode(Bool.self, forKey: .isOutOfOrder),
                note: try values.decodeIfPresent(String.self, forKey: .note))
        } else if values.contains(.unknown) {
            let values = try values.nestedContainer(
                keyedBy: UnknownCodingKeys.self, forKey: .unknown)
            self = .unknown(arguments: try values.decode(String.self, forKey: .arguments))
        } else {
            self = try Former(from: decoder).verb
        }
    }
}

/// What a request was answered. Kept 24 hours.
package struct Answer: Equatable, Sendable, Codable {
    /// How it went.
    package enum Outcome: Equatable, Sendable, Codable {
        /// Done; the workout as it then stood.
        case workout(WorkoutLog)
        /// Done; the session as it then stood.
        case session(Session)
        /// Done; the set as it then stood, and the records it then was.
        case set(WorkoutSet, records: [WorkoutSet.Record])
        /// Done; the station as it is from now on.
        case station(StationState)
        case refused(ProblemCode, Detail? = nil)

        package var isRefusal: Bool { if case .refused = self { true } else { false } }
    }

    /// What a refusal says beside its code.
    package struct Detail: Equatable, Sendable, Codable {
        /// The member of the arguments that is wrong.
        package var member: String?
        /// Since when it is so.
        package var since: Timestamp?

        /// Who holds what was asked for, of those who share that; `nil`: nobody is told.
        package var holders: [UserID]?

        package init(member: String? = nil, since: Timestamp? = nil, holders: [UserID] = []) {
            self.member = member
            self.since = since
            self.holders = holders.isEmpty ? nil : holders
        }
    }

    package var request: Request
    package var at: Timestamp
    /// How it went.
    package var outcome: Outcome

    package init(request: Request, at: Timestamp, outcome: Outcome) {
        self.request = request
        self.at = at
        self.outcome = outcome
    }
}

extension Answer {
    /// What tells one request from another.
    package struct Key: Comparable, Sendable {
        package let client: String
        package let id: String

        package init(client: String, id: String) {
            self.client = client
            self.id = id
        }

        package static func < (a: Key, b: Key) -> Bool { (a.client, a.id) < (b.client, b.id) }
    }

    package var key: Key { request.key }
}

extension Request {
    /// What tells it from others.
    package var key: Answer.Key { Answer.Key(client: client, id: id) }
}

/// A transition, told once after it is stored.
package struct Event: Equatable, Sendable, Codable {
    package enum Kind: String, Sendable, Codable, CaseIterable {
        case checkedIn = "attendance.checked-in"
        case checkedOut = "attendance.checked-out"
        case corrected = "attendance.corrected"
        case needsReview = "attendance.needs-review"
        case entered = "presence.entered"
        case left = "presence.left"
        /// There already when listening began: when they came is not known.
        case observed = "presence.observed"
        case started = "workout.started"
        case paused = "workout.paused"
        case resumed = "workout.resumed"
        case completed = "workout.completed"
        case cancelled = "workout.cancelled"
        case moved = "workout.moved"
        case reopened = "workout.reopened"
        case abandoned = "workout.abandoned"
        case set = "workout.set"
        case recordBroken = "record.broken"
        case queued = "station.queued"
        case offered = "station.offered"
        case lapsed = "station.lapsed"
    }

    /// Its row; with the site it makes the event's id.
    package var id: Int64
    package var kind: Kind
    /// When it happened, which is not when it was noticed.
    package var at: Timestamp
    /// To whom.
    package var user: UserID
    /// Where, if at a place.
    package var place: Stay.Place?
    /// The session, stay, workout or wait it is about.
    package var subject: Int64

    package init(
        id: Int64, kind: Kind, at: Timestamp, user: UserID, place: Stay.Place?, subject: Int64
    ) {
        self.id = id
        self.kind = kind
        self.at = at
        self.user = user
        self.place = place
        self.subject = subject
    }
}

/// A client's id that is used: nothing else can be asked with it for `Saved.answerLife`.
package struct UsedID: Equatable, Sendable, Codable {
    package var client: String
    package var id: String
    /// When what it was used for was done.
    package var at: Timestamp

    package init(_ key: Answer.Key, at: Timestamp) {
        client = key.client
        id = key.id
        self.at = at
    }

    package var key: Answer.Key { Answer.Key(client: client, id: id) }
}
