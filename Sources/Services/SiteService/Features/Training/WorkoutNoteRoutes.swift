import JSON
import Operations
import Permissions
import SiteModel
import WebServer
import Wire
import Workouts

/// What people write to a workout as a whole.
package struct WorkoutNoteRoutes: Sendable {
    private static let path = "/api/v1/workouts/{id}/notes"

    private let desk: WriteDesk
    /// The slugs of those who let trainers see what they train.
    private let sharing: @Sendable () -> Set<String>

    package init(_ desk: WriteDesk, sharing: @escaping @Sendable () -> Set<String>) {
        self.desk = desk
        self.sharing = sharing
    }

    private struct Line: Encodable {
        var id: Int64
        var atMs: Int64
        var by: String
        var author: String?
        var text: String

        static let answer: [RouteText.Field] = [
            .always("id", .count), .always("at_ms", .time),
            .always("by", .anyText, "Who wrote it, as the audit names them."),
            .init("author", .slug, "Who that is, if they are one of the users."),
            .always("text", .anyText),
        ]

        init(_ note: WorkoutNote) {
            id = note.id
            atMs = note.at.milliseconds
            by = note.by
            author = note.author
            text = note.text
        }
    }

    package var all: [Route] {
        [
            Route(
                .get, Self.path, .workoutsRead, whose: .each,
                about: RouteText(
                    "What people wrote to a workout, oldest first.",
                    answer: [.always("notes", .list(.object(Line.answer)))],
                    refusals: [.notFound, .consentRequired])
            ) { request in
                _ = try AskedQuery(request, allowed: [])
                let (workout, _) = try await workout(of: request, .workoutsRead)
                let notes = try await Blocking.run { [store = desk.store] in
                    try WorkoutNotes(store).notes(to: workout)
                }
                return try Reading.answer(["notes": notes.map(Line.init)])
            },
            Route(
                .post, Self.path, .workoutsWrite, whose: .each,
                about: RouteText(
                    "Writes a note to a workout, at most \(WorkoutNotes.most).",
                    body: [.init("text", .freeText(1...WorkoutNotes.longest), isNeeded: true)],
                    answer: [.always("id", .count)], status: 201,
                    refusals: [.notFound, .consentRequired, .rateLimited])
            ) { request in
                let text = try Reading.body(request, known: ["text"]) {
                    (object, json) throws(PayloadError) in
                    try object.required("text", json).words(json, limit: WorkoutNotes.longest)
                }
                let (workout, _) = try await workout(of: request, .workoutsWrite)
                let call = WorkoutNoteCall.add(workout: workout, text: text)
                return try await desk.perform(.workoutNotes(call), for: request) { written, _ in
                    try Reading.answer(["id": try written.rows.first ?? 0], status: 201)
                }
            },
            Route(
                .delete, Self.path + "/{note}", .workoutsWrite, whose: .each,
                about: RouteText(
                    "Deletes a note. A trainer deletes those that they wrote.", status: 204,
                    type: nil, refusals: [.notFound, .consentRequired])
            ) { request in
                guard let note = request.parameters["note"].flatMap({ Int64($0) }) else {
                    throw RouteProblem(.notFound, "There is no such note.")
                }
                let (workout, isOthers) = try await workout(of: request, .workoutsWrite)
                let call = WorkoutNoteCall.delete(
                    workout: workout, note: note,
                    isOnlyOwn: isOthers && request.visitor?.principal.role == .trainer)
                _ = try await desk.perform(.workoutNotes(call), for: request)
                return Reading.nothing
            },
        ]
    }

    /// The row of the workout that is named, and whether it is somebody else's.
    private func workout(
        of request: RouteRequest, _ right: Right
    ) async throws -> (Int64, isOthers: Bool) {
        let id = request.parameters["id"].flatMap { Int64($0) }
        let owner = try await Blocking.run { [store = desk.store] in
            try id.flatMap { try WorkoutHistory(store).owner(of: $0) }
        }
        let only = request.onlyUser(right)
        guard let id, let owner, only == nil || only == owner else {
            throw RouteProblem(.notFound, "There is no such workout.")
        }
        guard WorkoutRoutes.visible(to: request, sharing)?.contains(owner) != false else {
            throw WorkoutRoutes.notAgreed
        }
        return (id, owner != request.visitor?.principal.user)
    }
}
