import Trips

/// Delimited text cut into records the plain way, from the documented meaning alone (`CSVBlockScanner`,
/// `CSVTokenizer`): one byte after the other over the whole text, no windows, no blocks, no vectors.
struct ReferenceCSVParser {
    struct Record: Equatable {
        var number: Int
        var offset: Int
        var fields: [[UInt8]]
    }

    struct Reject: Equatable {
        var number: Int
        var offset: Int
        var reason: RejectReason
    }

    struct Answer: Equatable {
        var records: [Record] = []
        var rejects: [Reject] = []
    }

    private enum Reading {
        /// `end` is where the record's last field ends, its CR included; `next` where the next record starts.
        case whole(fields: [[UInt8]], raw: [[UInt8]], end: Int, next: Int)
        case malformed
        case unterminated
        case tooLong
    }

    let text: [UInt8]
    let delimiter: UInt8
    let fieldCount: Int
    let limit: Int
    var lastNameIsBlank = false
    /// Rows may end early, but for an empty field, and have at least so many.
    var leastFieldCount: Int?

    private static let quote = UInt8(ascii: "\""), feed = UInt8(ascii: "\n"), back = UInt8(ascii: "\r")

    func parse(from start: Int) -> Answer {
        var answer = Answer()
        var at = start
        var met = 0
        func reject(_ reason: RejectReason) {
            answer.rejects.append(Reject(number: met, offset: at, reason: reason))
            met += 1
        }
        /// Goes to the first line after this one that is a good record, and rejects those before it.
        func resume() {
            at = lineAfter(at)
            while at < text.count, let fault = fault(ofLine: at) {
                if case .lost(let reason) = fault { reject(reason) }
                at = lineAfter(at)
            }
        }
        while at < text.count {
            let reading = read(at)
            switch reading {
            case .whole(let fields, let raw, let end, let next):
                let spans = hasLineEnd(at, end > at && text[end - 1] == Self.back ? end - 1 : end)
                if raw == [[]] || raw == [[Self.back]] {
                    at = next
                    continue
                }
                if end - at > limit {
                    reject(.recordTooLong)
                    if spans { resume() } else { at = next }
                } else if isAcceptable(raw) {
                    var kept = fields.prefix(lastNameIsBlank ? fieldCount - 1 : fieldCount)
                    if leastFieldCount != nil { kept += Array(repeating: [], count: max(0, fieldCount - kept.count)) }
                    if raw.prefix(leastFieldCount == nil ? kept.count : raw.count).contains(where: { $0.contains(0) }) {
                        reject(.nulByte)
                    } else {
                        answer.records.append(Record(number: met, offset: at, fields: Array(kept)))
                        met += 1
                    }
                    at = next
                } else if spans {
                    reject(.unterminatedQuote)
                    resume()
                } else {
                    reject(.fieldCount)
                    at = next
                }
            case .malformed:
                reject(.malformedQuote)
                resume()
            case .unterminated:
                reject(.unterminatedQuote)
                resume()
            case .tooLong:
                reject(.recordTooLong)
                if hasLineEnd(at, at + limit) { resume() } else { at = lineAfter(at) }
            }
        }
        return answer
    }

    /// What a line is after a broken quote; nil: a good record starts there.
    private func fault(ofLine line: Int) -> LineFault? {
        switch read(line) {
        case .whole(_, let raw, let end, _):
            if end - line > limit { return .lost(.recordTooLong) }
            if raw.count == fieldCount { return nil }
            if raw == [[]] || raw == [[Self.back]] { return .blank }
            return isAcceptable(raw) ? nil : .lost(.fieldCount)
        case .malformed: return .lost(.malformedQuote)
        case .unterminated: return .lost(.unterminatedQuote)
        case .tooLong: return .lost(.recordTooLong)
        }
    }

    private enum LineFault {
        case blank
        case lost(RejectReason)
    }

    private func isAcceptable(_ raw: [[UInt8]]) -> Bool {
        if let leastFieldCount, raw.count < fieldCount {
            return raw.count >= leastFieldCount && raw.last != [] && raw.last != [Self.back]
        }
        return raw.count == fieldCount || (lastNameIsBlank && raw.count == fieldCount - 1)
            || (raw.count == fieldCount + 1 && (raw.last == [] || raw.last == [Self.back]))
    }

    private func hasLineEnd(_ from: Int, _ to: Int) -> Bool {
        text[from..<max(from, min(to, text.count))].contains { $0 == Self.feed || $0 == Self.back }
    }

    private func lineAfter(_ position: Int) -> Int {
        var at = position
        while at < text.count {
            if text[at] == Self.feed { return at + 1 }
            if text[at] == Self.back { return at + 1 < text.count && text[at + 1] == Self.feed ? at + 2 : at + 1 }
            at += 1
        }
        return text.count
    }

    /// The record at `start`, of which only the first `limit + 2` bytes are looked at.
    private func read(_ start: Int) -> Reading {
        let stop = min(text.count, start + limit + 2)
        let seesEnd = stop < start + limit + 2
        var fields: [[UInt8]] = [], raw: [[UInt8]] = []
        var at = start
        var spans = false
        while true {
            let fieldStart = at
            var value: [UInt8] = []
            if at < stop, text[at] == Self.quote {
                at += 1
                while true {
                    if at == stop { return .unterminated }
                    let byte = text[at]
                    if byte == Self.quote {
                        if at + 1 < stop, text[at + 1] == Self.quote {
                            at += 2
                        } else {
                            break
                        }
                    } else {
                        if byte == Self.feed || byte == Self.back { spans = true }
                        at += 1
                    }
                    value.append(byte)
                }
                at += 1
                if at < stop, ![delimiter, Self.feed, Self.back].contains(text[at]) { return .malformed }
            } else {
                while at < stop, ![delimiter, Self.feed, Self.back].contains(text[at]) {
                    value.append(text[at])
                    at += 1
                }
            }
            var end = at, next = at
            if at == stop {
                if !seesEnd { return .tooLong }
            } else if text[at] == Self.back {
                if at + 1 == stop && !seesEnd { return .tooLong }
                if at + 1 < stop, text[at + 1] == Self.feed { end = at + 1 }
                next = end + 1
            } else if text[at] == Self.feed {
                next = at + 1
            } else {
                fields.append(value)
                raw.append(Array(text[fieldStart..<at]))
                if spans && fields.count >= fieldCount + 1 { return .unterminated }
                at += 1
                continue
            }
            fields.append(value)
            raw.append(Array(text[fieldStart..<end]))
            return .whole(fields: fields, raw: raw, end: end, next: next)
        }
    }
}
