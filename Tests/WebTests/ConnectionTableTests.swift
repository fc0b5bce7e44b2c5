import Testing

@testable import WebServer

/// Who is let in, and who gives way.
struct ConnectionTableTests {
    var table = ConnectionTable<Int>(total: 4, perAddress: 2, perAsker: 4)

    @Test mutating func `a full house makes room for whoever comes, the longest idle one goes`() {
        for key in 0..<4 { #expect(table.open(key, from: nil) == .welcome) }
        #expect(table.open(4, from: nil) == .instead(of: 0))
        table.begin(1, by: "ada")  // It is being answered, and stays.
        #expect(table.open(5, from: nil) == .instead(of: 2))
        table.end(1)  // From now on it waits again, behind the others.
        #expect(table.open(6, from: nil) == .instead(of: 3))
        #expect(table.open(7, from: nil) == .instead(of: 4))
        #expect(table.open(8, from: nil) == .instead(of: 5))
        #expect(table.open(9, from: nil) == .instead(of: 1))
        #expect(table.count == 4)
    }

    @Test mutating func `where all are being answered nobody gives way`() {
        for key in 0..<4 {
            #expect(table.open(key, from: "10.0.0.\(key)") == .welcome)
            table.begin(key, by: "ada")
        }
        #expect(table.open(4, from: nil) == .full)
        #expect(table.count == 4)
        table.close(2)
        #expect(table.open(5, from: nil) == .welcome)
    }

    @Test mutating func `who is known gives way, too, until the body is here`() {
        for key in 0..<4 {
            #expect(table.open(key, from: nil) == .welcome)
            table.read(key, isWhole: false)
            table.begin(key, by: "ada")
        }
        table.read(0, isWhole: true)  // All is here: it is being answered.
        #expect(table.open(4, from: nil) == .instead(of: 1))
        table.read(4, isWhole: false)  // The next one comes before anybody knows who this is.
        table.read(4, isWhole: true)
        table.begin(4, by: "ada")
        #expect(table.open(5, from: nil) == .instead(of: 2))
        table.end(0)
        #expect(table.open(6, from: nil) == .instead(of: 3))
        #expect(table.open(7, from: nil) == .instead(of: 5))
        #expect(table.open(8, from: nil) == .instead(of: 0))
        #expect(table.count == 4)
    }

    @Test mutating func `of one asker no more places are kept than their share`() {
        table = ConnectionTable(total: 4, perAddress: 2, perAsker: 2)
        for key in 0..<4 {
            #expect(table.open(key, from: nil) == .welcome)
            table.begin(key, by: "ada")
            table.begin(key, by: "ada")  // Another request on it takes no more of the share.
        }
        #expect(table.open(4, from: nil) == .instead(of: 2))
        table.begin(4, by: "grace")
        #expect(table.open(5, from: nil) == .instead(of: 3))
        table.begin(5, by: "grace")
        #expect(table.open(6, from: nil) == .full)
        table.close(0)  // Who goes, and who is answered, leaves the share to others.
        table.end(1)
        #expect(table.open(6, from: nil) == .welcome)
        table.begin(6, by: "ada")
        #expect(table.open(7, from: nil) == .instead(of: 1))
        table.begin(7, by: "ada")
        #expect(table.open(8, from: nil) == .full)
    }

    @Test mutating func `one address takes its own places only`() {
        #expect(table.open(0, from: "10.0.0.1") == .welcome)
        #expect(table.open(1, from: "10.0.0.1") == .welcome)
        #expect(table.open(2, from: "10.0.0.1") == .instead(of: 0))
        #expect(table.open(3, from: "10.0.0.2") == .welcome)
        table.begin(1, by: "ada")
        table.begin(2, by: "ada")
        #expect(table.open(4, from: "10.0.0.1") == .full)
        #expect(table.open(5, from: "10.0.0.2") == .welcome)
        // The one of 10.0.0.2 that came first is idle; those being answered stay.
        #expect(table.open(6, from: nil) == .instead(of: 3))
    }

    @Test mutating func `this machine is not counted as an address`() {
        for key in 0..<4 { #expect(table.open(key, from: nil) == .welcome) }
    }

    @Test mutating func `what is said of one that is gone changes nothing`() {
        _ = table.open(0, from: nil)
        table.close(0)
        table.begin(0, by: "ada")
        table.end(0)
        table.close(0)
        #expect(table.count == 0)
    }

    @Test(arguments: [
        (1024, 512), (1_048_576, 512), (608, 512), (256, 160), (128, 32), (100, 16), (10, 16),
    ])
    func `there are never more connections than leave descriptors for the rest`(
        descriptors: Int, connections: Int
    ) {
        #expect(
            ConnectionLimits.total(descriptors: descriptors, wished: 512) == connections)
    }
}
