import SiteModel
import Testing

@testable import Broker

/// What is asked for again, when.
struct SubscriptionsTests {
    private var subscriptions = Subscriptions()
    private var asked: [[String]] = []
    private var number: Int32 = 1

    private func at(_ seconds: Double) -> Timestamp {
        Timestamp(milliseconds: 0) + .seconds(seconds)
    }

    private mutating func retry(_ seconds: Double) throws {
        var (asked, number) = (asked, number)
        try subscriptions.retry(at: at(seconds)) { filters, _ throws(MQTTError) in
            number += 1
            asked.append(filters)
            return number
        }
        (self.asked, self.number) = (asked, number)
    }

    @Test mutating func `what is granted is not asked for again`() throws {
        subscriptions.ask(["a", "b"], quality: 1, message: 1, at: at(0))
        #expect(!subscriptions.isWhole && subscriptions.refused == [])
        subscriptions.answered(7, [128], at: at(0))
        subscriptions.answered(1, [1, 0], at: at(0))
        #expect(subscriptions.isWhole && subscriptions.deadline == nil)
        try retry(1000)
        #expect(asked == [])
    }

    @Test mutating func `what is refused is asked for after 1, 2, 4 to 60 seconds`() throws {
        subscriptions.ask(["a", "b", "c"], quality: 1, message: 1, at: at(0))
        subscriptions.answered(1, [1, 128], at: at(0))
        #expect(subscriptions.refused == ["b", "c"] && !subscriptions.isWhole)
        var now = 0.0
        for wait in [1, 2, 4, 8, 16, 32, 60, 60, 60.0] {
            #expect(subscriptions.deadline == at(now + wait))
            try retry(now + wait - 0.001)
            let count = asked.count
            now += wait
            try retry(now)
            #expect(asked.count == count + 1 && asked.last == ["b", "c"])
            // Still refused while the answer is under way.
            #expect(subscriptions.refused == ["b", "c"])
            subscriptions.answered(number, [128, 135], at: at(now))
        }
        try retry(now + 60)
        subscriptions.answered(number, [1, 135], at: at(now + 60))
        #expect(subscriptions.refused == ["c"])
        try retry(now + 120)
        subscriptions.answered(number, [0], at: at(now + 120))
        #expect(subscriptions.isWhole && subscriptions.refused == [])
    }

    @Test
    mutating func `what is not answered is asked for again, and a late answer counts for nothing`()
        throws
    {
        subscriptions.ask(["a"], quality: 1, message: 1, at: at(0))
        try retry(9.9)
        #expect(asked == [] && subscriptions.refused == [])
        try retry(10)
        #expect(asked == [["a"]] && subscriptions.refused == ["a"])
        subscriptions.answered(1, [1], at: at(11))
        #expect(!subscriptions.isWhole)
        subscriptions.answered(number, [1], at: at(12))
        #expect(subscriptions.isWhole)
    }

    @Test mutating func `what is given up, or asked on another connection, is not asked for again`()
        throws
    {
        subscriptions.ask(["a", "b"], quality: 1, message: 1, at: at(0))
        subscriptions.answered(1, [128, 128], at: at(0))
        subscriptions.giveUp(["a"])
        #expect(subscriptions.refused == ["b"])
        subscriptions.giveUp(["b"])
        #expect(subscriptions.isWhole)
        // An answer that is under way names all that was asked for, in its order.
        subscriptions.ask(["a", "b"], quality: 1, message: 3, at: at(0))
        subscriptions.giveUp(["a"])
        subscriptions.answered(3, [1, 128], at: at(0))
        #expect(subscriptions.refused == ["b"])
        subscriptions.giveUp(["b"])
        subscriptions.ask(["a"], quality: 1, message: 2, at: at(0))
        subscriptions.forget()
        try retry(100)
        #expect(asked == [] && subscriptions.isWhole)
    }
}
