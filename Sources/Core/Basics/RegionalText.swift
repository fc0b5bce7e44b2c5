/// Words and digits of dates as phones and apps write them that are set to another language or region. The words are
/// those of the Unicode Common Locale Data Repository (months and dayPeriods of calendar gregorian, release 46), folded.
package enum RegionalText {
    /// Words that stand before noon and after it, of languages in which people set phones to twelve hours.
    private static let beforeNoon: Set<String> = [
        "am", "a", "ap", "de", "dop", "dopoldne", "fm", "formiddag", "pg", "sa", "oo", "vorm",
        "πμ", "дп", "пре", "преподне", "проб", "לפנהצ", "ص", "صباحًا", "ق", "قظ", "قبلازظهر",
        "पूर्वाह्न", "ก่อนเที่ยง", "上午", "午前", "오전",
    ]
    private static let afterNoon: Set<String> = [
        "pm", "p", "ip", "du", "odp", "pop", "popoldne", "em", "eftermiddag", "ptg", "ch", "os",
        "nachm",
        "μμ", "пп", "по", "поподне", "слоб", "אחהצ", "م", "مساءً", "ب", "بظ", "بعدازظهر",
        "अपराह्न", "หลังเที่ยง", "下午", "午後", "오후",
    ]
    /// The names of each month, in full and short. Croatian is not among them; of its words that are others', too
    /// (`lip`, `srp`, `listopada`), the others' month is read.
    private static let months: [[String]] = [
        words(
            "january januar janvier enero gennaio janeiro ocak января январь stycznia styczen januari"
                + " tammikuuta tammikuu leden ledna ianuarie januar janr ιανουαριου ιανουαριος ιανουάριος ιανουαρίου"
                + " січня січень 1月 一月 1월 ianr sty"
                + " jan ene gen janv oca янв led ian tammi ιαν січ"),
        words(
            "february februar fevrier febrero febbraio fevereiro subat февраля февраль lutego luty februari"
                + " helmikuuta helmikuu unor unora februarie φεβρουάριος φεβρουαρίου лютого лютий 2月 二月 2월"
                + " feb fev fevr febr sub фев февр lut helmi uno φεβ лют"
        ),
        words(
            "march marz maerz mars marzo marco mart марта март marca marzec maart mrt marts maaliskuuta"
                + " maaliskuu brezen brezna martie marcius μάρτιος μαρτίου μαρ березня березень maret 3月 三月 3월"
                + " mar mrt marc мар maalis bre μάρ бер"
        ),
        words(
            "april avril abril aprile nisan апреля апрель kwietnia kwiecien huhtikuuta huhtikuu duben"
                + " dubna aprilie aprilis απρίλιος απριλίου квітня квітень 4月 四月 4월"
                + " apr abr avr nis апр kwi huhti dub απρ квіт"),
        words(
            "may mai mayo maggio maio mayis мая май maja maj mei toukokuuta toukokuu kveten kvetna majus"
                + " μάιος μαΐου μαΐ травня травень 5月 五月 5월"
                + " mag touko kve травн трав"),
        words(
            "june juni juin junio giugno junho haziran июня июнь czerwca czerwiec kesakuuta kesakuu cerven"
                + " cervna cvn iunie junius ιούνιος ιουνίου червня червень 6月 六月 6월"
                + " jun giu haz июн cze kesa iun ιουν черв"),
        words(
            "july juli juillet julio luglio julho temmuz июля июль lipca lipiec heinakuuta heinakuu"
                + " cervenec cervence cvc iulie julius ιούλιος ιουλίου липня липень 7月 七月 7월"
                + " jul juil lug tem июл lip heina iul ιουλ лип"),
        words(
            "august aout agosto agustos августа август sierpnia sierpien augustus elokuuta elokuu srpen"
                + " srpna augusti augusztus αύγουστος αυγούστου серпня серпень agustus agu 8月 八月 8월"
                + " aug ago aou авг sie elo srp αυγ серп"
        ),
        words(
            "september septembre septiembre settembre setembro eylul сентября сентябрь wrzesnia wrzesien"
                + " syyskuuta syyskuu zari septembrie szeptember σεπτέμβριος σεπτεμβρίου вересня вересень 9月 九月 9월"
                + " sep sept set eyl сен сент wrz syys zar szept σεπ вер"
        ),
        words(
            "october oktober octobre octubre ottobre outubro ekim октября октябрь pazdziernika pazdziernik"
                + " lokakuuta lokakuu rijen rijna octombrie οκτώβριος οκτωβρίου жовтня жовтень 10月 十月 10월"
                + " oct okt out ott eki окт paz loka rij οκτ жовт"
        ),
        words(
            "november novembre noviembre novembro kasim ноября ноябрь listopada listopad marraskuuta"
                + " marraskuu listopadu noiembrie νοέμβριος νοεμβρίου листопада 11月 十一月 11월"
                + " nov kas нояб lis marras noi νοε νοέ листоп"),
        words(
            "december dezember decembre diciembre dicembre dezembro aralik декабря декабрь grudnia grudzien"
                + " joulukuuta joulukuu prosinec prosince decembrie desember δεκέμβριος δεκεμβρίου грудня грудень"
                + " 12月 十二月 12월"
                + " dec dic dez des ara дек gru joulu pro δεκ груд"),
    ]

    private static func words(_ text: String) -> [String] {
        text.split(separator: " ").map { fold($0) }
    }

    /// A word in small letters, without dots, spaces, other marks between letters, and accents of Latin ones.
    package static func fold(_ word: some StringProtocol) -> String {
        var folded = String.UnicodeScalarView()
        for scalar in word.lowercased().unicodeScalars {
            let properties = scalar.properties
            switch properties.generalCategory {
            case .nonspacingMark where folded.last?.isASCII ?? true: continue
            case .lowercaseLetter where !scalar.isASCII:
                folded.append(latinLetter(scalar) ?? scalar)
            case .lowercaseLetter, .otherLetter, .modifierLetter, .nonspacingMark, .spacingMark,
                .decimalNumber:
                folded.append(scalar)
            default: continue
            }
        }
        return String(folded)
    }

    /// The letter a to z on which a mark stands, by the scalar's name.
    private static func latinLetter(_ scalar: Unicode.Scalar) -> Unicode.Scalar? {
        if scalar == "ı" { return "i" }
        let start = "LATIN SMALL LETTER "
        guard let name = scalar.properties.name, name.hasPrefix(start) else { return nil }
        let rest = name.dropFirst(start.count)
        guard rest.dropFirst().hasPrefix(" WITH "), let letter = rest.unicodeScalars.first else {
            return nil
        }
        return Unicode.Scalar(letter.value + 32)
    }

    /// Whether a word means the second half of a day; `nil`: it means neither.
    package static func isAfterNoon(_ word: some StringProtocol) -> Bool? {
        let word = fold(word)
        if beforeNoon.contains(word) { return false }
        return afterNoon.contains(word) ? true : nil
    }

    /// The number of a month, from 1, by its name or by how it begins, three letters at least; `nil` if it is none, or
    /// begins like two.
    package static func month(_ word: some StringProtocol) -> Int? {
        let word = fold(word)
        if let whole = months.firstIndex(where: { $0.contains(word) }) { return whole + 1 }
        guard word.count >= 3 else { return nil }
        let begun = months.indices.filter { month in months[month].contains { $0.hasPrefix(word) } }
        return begun.count == 1 ? begun[0] + 1 : nil
    }

    /// The value of a decimal digit of any script.
    package static func digit(_ scalar: Unicode.Scalar) -> Int? {
        if scalar.isASCII {
            return ("0"..."9").contains(scalar) ? Int(scalar.value) - 0x30 : nil
        }
        let properties = scalar.properties
        guard properties.numericType == .decimal else { return nil }
        return properties.numericValue.map { Int($0) }
    }
}
