/// `node/{n}/cursor`, retained: how far a coordinator has stored what a node's outbox sent.
package struct CursorPayload: Payload {
    /// Grows when the site's state was restored or taken over; a node obeys the highest.
    package var epoch: Int64
    /// The outbox; a cursor of another one acknowledges nothing.
    package var log: UInt64
    /// Everything up to this number is stored; 0 before anything is.
    package var seq: Int64

    package init(epoch: Int64, log: UInt64, seq: Int64) {
        self.epoch = epoch
        self.log = log
        self.seq = seq
    }

    /// Takes the values out of a checked text.
    package init(_ object: JSONObject, in json: Span<UInt8>) throws(PayloadError) {
        epoch = try object.required("epoch", json).integer(json, from: 1)
        log = try object.required("log", json).boot(json)
        seq = try object.required("seq", json).integer(json)
    }

    /// Writes the object.
    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("epoch", epoch)
        writer.field("log", boot: log)
        writer.field("seq", seq)
        writer.endObject()
    }
}
