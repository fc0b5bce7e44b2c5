/// What all pages are made of.
struct Pages: Sendable {
    let files: PageFiles
    private let words: [PageLanguage: PageWords]

    /// The dashboard.
    static let shared = Pages()

    init() {
        let all = PageLanguage.allCases.map { PageWords($0, json: Self.json(of: $0)) }
        words = Dictionary(uniqueKeysWithValues: all.map { ($0.language, $0) })
        files = PageFiles(
            Self.modules + [Self.style, Self.mark] + all.map(\.module) + PageLibrary.files)
    }

    func words(in language: PageLanguage) -> PageWords {
        // There are words in each language.
        words[language] ?? PageWords(language, json: [])
    }

    private static func json(of language: PageLanguage) -> [UInt8] {
        switch language {
        case .en: PackageResources.en_json
        case .de: PackageResources.de_json
        }
    }

    /// One style sheet: a page waits for it before it shows anything.
    private static let style = PageFile(
        "style.css",
        [
            PackageResources.tokens_css, PackageResources.base_css, PackageResources.kit_css,
            PackageResources.pages_css, PackageResources.attendance_css, PackageResources.me_css,
            PackageResources.office_css, PackageResources.training_css, PackageResources.print_css,
        ].reduce([]) { $0 + $1 + [UInt8(ascii: "\n")] })

    private static let mark = PageFile("favicon.svg", PackageResources.favicon_svg)

    /// Every module; a test compares with the folder.
    private static let modules = [
        PageFile("start.js", PackageResources.start_js),
        PageFile("kit/box.js", PackageResources.box_js),
        PageFile("kit/chart.js", PackageResources.chart_js),
        PageFile("kit/code.js", PackageResources.code_js),
        PageFile("kit/element.js", PackageResources.element_js),
        PageFile("kit/fields.js", PackageResources.fields_js),
        PageFile("kit/form.js", PackageResources.form_js),
        PageFile("kit/heat.js", PackageResources.heat_js),
        PageFile("kit/part.js", PackageResources.part_js),
        PageFile("kit/choose-person.js", PackageResources.choose_person_js),
        PageFile("kit/rename.js", PackageResources.rename_js),
        PageFile("kit/slug.js", PackageResources.slug_js),
        PageFile("kit/ring.js", PackageResources.ring_js),
        PageFile("kit/strip.js", PackageResources.strip_js),
        PageFile("data/api.js", PackageResources.api_js),
        PageFile("data/clock.js", PackageResources.clock_js),
        PageFile("data/door.js", PackageResources.door_js),
        PageFile("data/session.js", PackageResources.session_js),
        PageFile("data/set-box.js", PackageResources.set_box_js),
        PageFile("data/set-sender.js", PackageResources.set_sender_js),
        PageFile("data/site.js", PackageResources.site_js),
        PageFile("data/stream.js", PackageResources.stream_js),
        PageFile("words/words.js", PackageResources.words_js),
        PageFile("pages/account.js", PackageResources.account_js),
        PageFile("pages/accounts.js", PackageResources.accounts_js),
        PageFile("pages/activity.js", PackageResources.activity_js),
        PageFile("pages/activity-days.js", PackageResources.activity_days_js),
        PageFile("pages/activity-shared.js", PackageResources.activity_shared_js),
        PageFile("pages/activity-sharing.js", PackageResources.activity_sharing_js),
        PageFile("pages/activity-settings.js", PackageResources.activity_settings_js),
        PageFile("pages/activity-words.js", PackageResources.activity_words_js),
        PageFile("pages/add-tag.js", PackageResources.add_tag_js),
        PageFile("pages/attendance-day.js", PackageResources.attendance_day_js),
        PageFile("pages/attendance-month.js", PackageResources.attendance_month_js),
        PageFile("pages/attendance.js", PackageResources.attendance_js),
        PageFile("pages/activity-done.js", PackageResources.activity_done_js),
        PageFile("pages/my-phones.js", PackageResources.my_phones_js),
        PageFile("pages/calendar.js", PackageResources.calendar_js),
        PageFile("pages/correction-form.js", PackageResources.correction_form_js),
        PageFile("pages/corrections.js", PackageResources.corrections_js),
        PageFile("pages/devices.js", PackageResources.devices_js),
        PageFile("pages/docs.js", PackageResources.docs_js),
        PageFile("pages/history.js", PackageResources.history_js),
        PageFile("pages/live.js", PackageResources.live_js),
        PageFile("pages/me.js", PackageResources.me_js),
        PageFile("pages/my-corrections.js", PackageResources.my_corrections_js),
        PageFile("pages/my-hours.js", PackageResources.my_hours_js),
        PageFile("pages/my-training.js", PackageResources.my_training_js),
        PageFile("pages/my-visits.js", PackageResources.my_visits_js),
        PageFile("pages/nodes.js", PackageResources.nodes_js),
        PageFile("pages/past-workout.js", PackageResources.past_workout_js),
        PageFile("pages/people.js", PackageResources.people_js),
        PageFile("pages/person-form.js", PackageResources.person_form_js),
        PageFile("pages/person.js", PackageResources.person_js),
        PageFile("pages/place-names.js", PackageResources.place_names_js),
        PageFile("pages/plan.js", PackageResources.plan_js),
        PageFile("pages/presence.js", PackageResources.presence_js),
        PageFile("pages/report-table.js", PackageResources.report_table_js),
        PageFile("pages/reports.js", PackageResources.reports_js),
        PageFile("pages/progress.js", PackageResources.progress_js),
        PageFile("pages/records.js", PackageResources.records_js),
        PageFile("pages/rest.js", PackageResources.rest_js),
        PageFile("pages/rooms.js", PackageResources.rooms_js),
        PageFile("pages/roster-desk.js", PackageResources.roster_desk_js),
        PageFile("pages/roster.js", PackageResources.roster_js),
        PageFile("pages/set-entry.js", PackageResources.set_entry_js),
        PageFile("pages/set-form.js", PackageResources.set_form_js),
        PageFile("pages/set-list.js", PackageResources.set_list_js),
        PageFile("pages/setup.js", PackageResources.setup_js),
        PageFile("pages/setup-list.js", PackageResources.setup_list_js),
        PageFile("pages/signin.js", PackageResources.signin_js),
        PageFile("pages/station-day.js", PackageResources.station_day_js),
        PageFile("pages/station.js", PackageResources.station_js),
        PageFile("pages/station-use.js", PackageResources.station_use_js),
        PageFile("pages/stations.js", PackageResources.stations_js),
        PageFile("pages/strangers.js", PackageResources.strangers_js),
        PageFile("pages/tags.js", PackageResources.tags_js),
        PageFile("pages/tokens.js", PackageResources.tokens_js),
        PageFile("pages/training.js", PackageResources.training_js),
        PageFile("pages/usual.js", PackageResources.usual_js),
        PageFile("pages/trainer.js", PackageResources.trainer_js),
        PageFile("pages/whose.js", PackageResources.whose_js),
        PageFile("pages/why.js", PackageResources.why_js),
        PageFile("pages/workout-lines.js", PackageResources.workout_lines_js),
        PageFile("pages/workout-now.js", PackageResources.workout_now_js),
        PageFile("pages/workout.js", PackageResources.workout_js),
        PageFile("pages/workout-notes.js", PackageResources.workout_notes_js),
        PageFile("pages/workout-told.js", PackageResources.workout_told_js),
    ]
}
