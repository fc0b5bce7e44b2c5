import Foundation

/// The same walk as the decoder's, written in plain C and compiled when it is needed: what this
/// machine can do at best with these bytes.
struct CWalk {
    private let program: String

    /// Compiles it into a directory. Throws `.skipped` where there is no compiler.
    init(into directory: String, searchPath: String) throws {
        program = try CCompiler.compile(
            Self.source, named: "walk", into: directory, searchPath: searchPath)
    }

    /// Walks the packets of a file (see `DecodeCorpus.file`) again and again for some
    /// milliseconds. Returns what one walk finds and the nanoseconds an advertisement took.
    func run(_ file: String, milliseconds: Int) throws -> (totals: DecodeTotals, each: Double) {
        let result = try Tool.run(program, [file, String(milliseconds)])
        let words = result.output.split { $0 == " " || $0 == "\n" }
        guard result.status == 0, words.count == 5, let totals = DecodeTotals(words: words),
            let each = Double(words[4])
        else { throw BenchFailure.failed("the walk in C said “\(result.output)”") }
        return (totals, each)
    }

    /// Arguments: the file and the milliseconds. Prints the totals of one walk and ns a report.
    private static let source = #"""
        #include <stdint.h>
        #include <stdio.h>
        #include <stdlib.h>
        #include <time.h>

        struct totals { uint64_t reports, identified; int64_t levels; uint64_t identities; };

        static uint64_t big(const uint8_t *p, int n) {
            uint64_t v = 0;
            for (int i = 0; i < n; i++) v = v << 8 | p[i];
            return v;
        }

        // The first iBeacon, else the first AltBeacon, else the first Eddystone UID.
        static int beacon(const uint8_t *data, int n, uint64_t *id) {
            int alt = 0, eddystone = 0;
            uint64_t altID = 0, eddystoneID = 0;
            for (int at = 0; at < n && data[at]; at += 1 + data[at]) {
                int length = data[at] - 1;
                if (at + data[at] >= n) break;
                const uint8_t *p = data + at + 2;
                if (data[at + 1] == 0xFF) {
                    if (length >= 25 && p[0] == 0x4C && p[1] == 0 && p[2] == 2 && p[3] == 0x15) {
                        *id = big(p + 4, 8) ^ (big(p + 12, 8) + (big(p + 20, 2) << 16)
                            + big(p + 22, 2));
                        return 1;
                    }
                    if (!alt && length >= 26 && p[2] == 0xBE && p[3] == 0xAC) {
                        alt = 1;
                        altID = big(p + 4, 8) ^ (big(p + 12, 8) + big(p + 20, 4));
                    }
                } else if (data[at + 1] == 0x16 && !eddystone && length >= 20 && p[0] == 0xAA
                    && p[1] == 0xFE && p[2] == 0) {
                    eddystone = 1;
                    eddystoneID = big(p + 4, 8) ^ big(p + 12, 8);
                }
            }
            *id = alt ? altID : eddystoneID;
            return alt || eddystone;
        }

        static void walk(const uint8_t *packet, int n, struct totals *t) {
            if (n < 3 || packet[0] != 4 || packet[1] != 0x3E) return;
            int end = 3 + packet[2];
            if (n > end) n = end;
            const uint8_t *p = packet + 3;
            n -= 3;
            if (n < 2 || (p[0] != 2 && p[0] != 0x0D)) return;
            int extended = p[0] == 0x0D, fixed = extended ? 24 : 10, at = 2;
            for (int i = 0; i < p[1]; i++) {
                const uint8_t *r = p + at;
                int dataAt = fixed - !extended, count = dataAt <= n - at ? r[dataAt - 1] : 0;
                int length = fixed + count;
                if (length > n - at) return;
                at += length;
                int kind = extended ? r[0] & 0x7F : r[0], addressAt = extended ? 2 : 1;
                int type = r[addressAt];
                if (extended && kind & 0x10) {
                    int k = kind & 0x1F;
                    if (k != 0x10 && k != 0x12 && k != 0x13 && k != 0x15 && k != 0x1A && k != 0x1B)
                        continue;
                } else if (extended ? (kind >> 5) == 1 : kind > 4) continue;
                if (type > 3 && !(type == 0xFF && extended)) continue;
                t->reports++;
                int8_t level = (int8_t)r[extended ? 13 : length - 1];
                if (level <= 20) t->levels += level;
                uint64_t id = 0;
                if (!beacon(r + dataAt, count, &id)) {
                    for (int b = 5; b >= 0; b--) id = id << 8 | r[addressAt + 1 + b];
                    if (type == 0xFF || (type & 1 && id >> 46 != 3)) continue;
                }
                t->identified++;
                t->identities += id;
            }
        }

        static double now(void) {
            struct timespec t;
            clock_gettime(CLOCK_MONOTONIC, &t);
            return t.tv_sec * 1e9 + t.tv_nsec;
        }

        int main(int argc, char **argv) {
            FILE *file = argc == 3 ? fopen(argv[1], "rb") : NULL;
            if (!file) return 1;
            fseek(file, 0, SEEK_END);
            long size = ftell(file);
            rewind(file);
            uint8_t *bytes = malloc(size + 1);
            if (!bytes || fread(bytes, 1, size, file) != (size_t)size) return 1;
            struct totals all = {0}, one = {0};
            double start = 0, limit = atof(argv[2]) * 1e6, passed = 0;
            // The first walk is not timed.
            for (int pass = 0; passed < limit; pass++) {
                for (long at = 0; at + 2 <= size;) {
                    int n = bytes[at] | bytes[at + 1] << 8;
                    walk(bytes + at + 2, n, &all);
                    at += 2 + n;
                }
                if (pass == 0) {
                    one = all;
                    start = now();
                } else passed = now() - start;
            }
            printf("%llu %llu %lld %llu %.4f\n", (unsigned long long)one.reports,
                (unsigned long long)one.identified, (long long)one.levels,
                (unsigned long long)one.identities, passed / (all.reports - one.reports));
            return 0;
        }

        """#
}

/// The machine's C compiler, for programs that exist only to be measured.
enum CCompiler {
    /// Compiles with `-O2` and returns the program's path. Throws `.skipped` where there is no
    /// compiler, and `.failed` with what it says about a source it refuses.
    static func compile(
        _ source: String, named name: String, into directory: String, searchPath: String,
        libraries: [String] = []
    ) throws -> String {
        guard let compiler = Tool.find("cc", in: searchPath) else {
            throw BenchFailure.skipped("no C compiler: there is no cc (apt-get install gcc)")
        }
        let file = "\(directory)/\(name).c"
        let program = "\(directory)/\(name)"
        try Data(source.utf8).write(to: URL(fileURLWithPath: file))
        let words = ["-std=gnu11", "-O2", "-o", program, file] + libraries.map { "-l\($0)" }
        let result = try Tool.run(compiler, words)
        guard result.status == 0 else {
            throw BenchFailure.failed("\(compiler) refuses \(name).c:\n\(result.output)")
        }
        return program
    }
}
