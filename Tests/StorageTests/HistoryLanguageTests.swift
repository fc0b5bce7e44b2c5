import Basics
import Testing

@testable import SiteModel
@testable import Workouts

/// Exports in the language of an account, and files that a spreadsheet has saved again.
struct HistoryLanguageTests {
    @Test(arguments: [
        ("30 Abr 2023, 19:37", "2023-04-30 19:37"), ("7 févr. 2023, 18:05", "2023-02-07 18:05"),
        ("30 de abr. de 2023, 19:37", "2023-04-30 19:37"),
        ("3 mars 2023, 08:00", "2023-03-03 08:00"),
        ("7 février 2023 à 12:30", "2023-02-07 12:30"),
        ("7 février 2023 à 18:05", "2023-02-07 18:05"),
        ("5 ago 2023, 5:29\u{A0}p.\u{A0}m.", "2023-08-05 17:29"),
        ("28. März 2023, 17:29 Uhr", "2023-03-28 17:29"), ("1 MÄRZ 2023 7:05", "2023-03-01 07:05"),
        ("5 août 2023, 18:05", "2023-08-05 18:05"), ("5 aout 2023, 18:05", "2023-08-05 18:05"),
        ("5 ago 2023, 18:05", "2023-08-05 18:05"), ("9 set 2023, 9:30", "2023-09-09 09:30"),
        ("9 dic 2023, 9:30", "2023-12-09 09:30"), ("9 gen 2023, 9:30", "2023-01-09 09:30"),
        ("14 Şub 2023, 19:37", "2023-02-14 19:37"), ("14 Tem 2023, 19:37", "2023-07-14 19:37"),
        ("14 Temmuz 2023, 19:37", "2023-07-14 19:37"), ("14 Eki 2023, 19:37", "2023-10-14 19:37"),
        ("14 Ara 2023, 19:37", "2023-12-14 19:37"), ("14 мая 2023, 19:37", "2023-05-14 19:37"),
        ("14 июл. 2023, 19:37", "2023-07-14 19:37"), ("14 нояб. 2023, 19:37", "2023-11-14 19:37"),
        ("14 paź 2023, 19:37", "2023-10-14 19:37"),
        ("14 października 2023, 19:37", "2023-10-14 19:37"),
        ("14 mrt. 2023, 19:37", "2023-03-14 19:37"), ("14 okt 2023, 19:37", "2023-10-14 19:37"),
        ("14 4월 2023, 19:37", "2023-04-14 19:37"), ("2023년 4월 14일 오후 7:37", "2023-04-14 19:37"),
        ("14 4月 2023, 19:37", "2023-04-14 19:37"), ("2023年4月14日 19:37", "2023-04-14 19:37"),
        ("14 十一月 2023, 19:37", "2023-11-14 19:37"), ("2023年11月4日 下午7:37", "2023-11-04 19:37"),
        ("30.04.2023 19:37", "2023-04-30 19:37"), ("30.4.2023, 9:37:12", "2023-04-30 09:37"),
        ("2023/04/30 19:37", "2023-04-30 19:37"), ("2023-04-30T19:37:00", "2023-04-30 19:37"),
        ("2023-04-30 7:37:05\u{202F}PM", "2023-04-30 19:37"),
        ("Apr 30, 2023, 12:00 AM", "2023-04-30 00:00"),
    ])
    func `times are read in the languages of the apps`(text: String, expected: String) throws {
        let read = try #require(HistoryClock.local(text), "\(text)")
        #expect("\(read.date) \(read.time)".prefix(16) == expected, "\(text)")
    }

    @Test(arguments: [
        "30/04/2023 19:37", "04/30/2023 7:37 PM", "30 jui 2023, 19:37", "30 ma 2023, 19:37",
        "30 Foo 2023, 19:37", "31 abr 2023, 19:37", "30 abr 2023", "abr 2023 19:37",
        "30.04.23 19:37",
        "30 abr 2023, 19:37 19:38", "30 abr 2023, 19:37 Foo", "30 abr 2023, 13:37 PM", "",
        "30 abr 2023 2024, 19:37", "日 4月 2023, 19:37", "....", "年月日 19:37",
        String(repeating: "9", count: 500), String(repeating: "年", count: 400),
    ])
    func `what could mean two things, or nothing, is no time`(text: String) {
        #expect(HistoryClock.local(text) == nil)
    }

    @Test func `every month is one in each language, whole and short`() {
        // The short forms that apps write, by language.
        let short = [
            "jan feb mar apr may jun jul aug sep oct nov dec",
            "jan fev mar abr mai jun jul ago set out nov dez",
            "ene feb mar abr may jun jul ago sept oct nov dic",
            "gen feb mar apr mag giu lug ago set ott nov dic",
            "janv févr mars avr mai juin juil août sept oct nov déc",
            "jan feb mär apr mai juni juli aug sept okt nov dez",
            "oca şub mar nis may haz tem ağu eyl eki kas ara",
            "янв февр мар апр мая июн июл авг сент окт нояб дек",
            "sty lut mar kwi maj cze lip sie wrz paź lis gru",
            "jan feb mrt apr mei jun jul aug sep okt nov dec",
            "jan feb mars apr maj juni juli aug sep okt nov dec",
            "tammi helmi maalis huhti touko kesä heinä elo syys loka marras joulu",
            "led úno bře dub kvě červen červenec srp zář říj lis pro",
            "jan febr márc ápr máj jún júl aug szept okt nov dec",
            "ian feb mar apr mai iun iul aug sept oct nov dec",
            "jan feb mar apr mei jun jul agu sep okt nov des",
            "1月 2月 3月 4月 5月 6月 7月 8月 9月 10月 11月 12月", "1월 2월 3월 4월 5월 6월 7월 8월 9월 10월 11월 12월",
        ]
        for line in short {
            let months = line.split(separator: " ").map { RegionalText.month($0) }
            #expect(months == Array(1...12).map { $0 }, "\(line): \(months)")
        }
        #expect(RegionalText.month("ju") == nil && RegionalText.month("xyz") == nil)
    }

    private func hevy(_ separator: Character) -> [String] {
        [HistoryText.hevy, HistoryText.hevyRow()].map { line in
            // A comma within quotation marks stays.
            var isQuoted = false
            return String(
                line.map { character in
                    if character == "\"" { isQuoted.toggle() }
                    return character == "," && !isQuoted ? separator : character
                })
        }
    }

    @Test(arguments: [Character(","), ";", "\t"])
    func `comma, semicolon and tab separate the cells of every layout`(separator: Character) throws
    {
        func lines(_ text: [String], from old: Character) -> [String] {
            text.map { String($0.map { $0 == old ? separator : $0 }) }
        }
        #expect(try HistoryText.read(hevy(separator)) == HistoryText.read(hevy(",")))
        let own = [HistoryText.own, HistoryText.ownRow(1, "working,5,80.5,,,2,rack,,")]
        #expect(try HistoryText.read(lines(own, from: ",")) == HistoryText.read(own))
        let strong = [
            HistoryText.newStrong, "1;2023-04-30 19:37:00;Push;3600;Bench Press;1;80.5;8;;;;;",
        ]
        #expect(try HistoryText.read(lines(strong, from: ";")) == HistoryText.read(strong))
    }

    @Test func `our own export that a German desk saved again comes back`() throws {
        let own = [HistoryText.own, HistoryText.ownRow(1, "working,5,80.5,,,2,rack,,")]
        let saved = own.map {
            $0.replacing(",", with: ";").replacing("80.5", with: "80,5")
        }
        let bytes = [0xEF, 0xBB, 0xBF] + Array((saved.joined(separator: "\r\n") + "\r\n").utf8)
        #expect(try HistoryText.read(bytes) == HistoryText.read(own))
        // What Excel has rounded is refused, with what to do.
        let rounded = saved.map { $0.replacing("1709658000000", with: "1,70966E+12") }
        let fault = #expect(throws: HistoryFault.self) { try HistoryText.read(rounded) }
        #expect(fault?.text.contains("a spreadsheet has rounded it") == true)
    }

    @Test func `Strong's headings are read in German`() throws {
        for heading in [
            "Datum;Workout-Name;Name der Übung;Reihenfolge festlegen;Gewicht;Wiederh.;RPE;Entfernung;Sekunden;Notizen;Workout-Notizen;Dauer",
            "Datum;Workout-Name;Name der Übung;Reihenfolge festlegen;Gewicht (kg);Wiederh.;RPE;Entfernung (m);Sekunden;Notizen;Workout-Notizen;Workout-Dauer",
        ] {
            let file = try HistoryText.read([
                heading,
                #"2023-04-30 19:37:00;"Brust";"Bankdrücken";1;82,5;8;8;0;0;"schwer";;1h 5m"#,
            ])
            let workout = try #require(file.workouts.first)
            #expect(file.layout == .strong && workout.title == "Brust")
            #expect(workout.to - workout.from == .seconds(3900))
            let set = try #require(workout.sets.first)
            #expect(set.weight == 82_500 && set.reps == 8 && set.rir == 2 && set.note == "schwer")
        }
    }

    @Test func `a refusal of a language that is not read says what to do`() throws {
        let fault = #expect(throws: HistoryFault.self) {
            try HistoryText.read([
                HistoryText.hevy, HistoryText.hevyRow(from: "30 Xyz 2023, 19:37"),
            ])
        }
        #expect(fault?.text.contains("set the app to English and export again") == true)
        let headings = #expect(throws: HistoryFault.self) {
            try HistoryText.read(["Fecha;Nombre;Ejercicio;Orden", "a;b;c;d"])
        }
        #expect(headings?.text.contains("set it to English and export again") == true)
    }
}
