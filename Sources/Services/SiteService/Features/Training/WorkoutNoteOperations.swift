import Operations
import Records
import SiteModel
import SiteStore
import Workouts

// What people write to a workout as a whole.

extension Operation {
    private static let path = "/api/v1/workouts/{id}/notes"

    static let workoutNotes = [
        Operation(
            "note-list", path, .workoutsRead, about: .found,
            "What people wrote to a workout, oldest first.", .of(Numbered.self),
            answer: .rows("notes"),
            refusals: [.notFound, .consentRequired], owner: { try owner(ofWorkout: $0.id, $1, $2) }
        ) { workout, _, store in
            try WorkoutNotes(store).notes(to: workout.id)
        },
        Operation(
            "note-add", .post, path, .workoutsWrite, about: .found,
            "Writes a note to a workout, at most \(WorkoutNotes.most).", .of(NewNote.self),
            answer: .added, refusals: [.notFound, .consentRequired, .rateLimited],
            owner: { try owner(ofWorkout: $0.workout, $1, $2) }
        ) { note, caller, store in
            let call = WorkoutNoteCall.add(workout: note.workout, text: note.text)
            return Numbered(
                id: try WorkoutNotes(store).perform(call, by: caller.asker).first ?? 0)
        },
        Operation(
            "note-delete", .delete, path + "/{note}", .workoutsWrite, about: .found,
            "Deletes a note. A trainer deletes those that they wrote.", .of(NoteOfWorkout.self),
            answer: .nothing, refusals: [.notFound, .consentRequired],
            owner: { try owner(ofWorkout: $0.workout, $1, $2) }
        ) { note, caller, store in
            let isOthers = caller.person != caller.principal?.user
            let call = WorkoutNoteCall.delete(
                workout: note.workout, note: note.id,
                isOnlyOwn: isOthers && caller.principal?.role == .trainer)
            _ = try WorkoutNotes(store).perform(call, by: caller.asker)
        },
    ]
}

/// Whose a workout is. Whoever may ask about themselves only does not learn which there are.
func owner(ofWorkout workout: Int64, _ own: String?, _ store: Store) throws -> String {
    guard let owner = try WorkoutHistory(store).owner(of: workout), own == nil || own == owner
    else { throw BooksRefusal(.notFound, "there is no such workout") }
    return owner
}

extension WorkoutNote: OperationOutput {
    package static let members: [Member<WorkoutNote>] = [
        .needed("id", .count, \.id), .needed("at_ms", .time, \.at),
        .needed("by", .anyText, \.by, "Who wrote it, as the audit names them."),
        .optional("author", .slug, \.author, "Who that is, if they are one of the users."),
        .needed("text", .anyText, \.text),
    ]
}

private struct NewNote: OperationInput {
    var workout: Int64 = 0
    var text = ""

    static let members: [Member<NewNote>] = [
        .needed("id", .count, \.workout),
        .needed("text", .freeText(1...WorkoutNotes.longest), \.text),
    ]
}

private struct NoteOfWorkout: OperationInput {
    var workout: Int64 = 0
    var id: Int64 = 0

    static let members: [Member<NoteOfWorkout>] = [
        .needed("id", .count, \.workout), .needed("note", .count, \.id),
    ]
}
