import Trips

/// Facts as lines of text: the values in the order of `FactColumn`, with tabs between them.
struct FactRows {
    private(set) var bytes: [UInt8] = []

    private static let tab = UInt8(ascii: "\t"), lineFeed = UInt8(ascii: "\n")

    mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }

    /// - Parameter batch: with versions, whose `keyHashes` and `keyCheck` are the pseudonyms of the trips.
    mutating func append(_ batch: borrowing TripBatch, row: Int) {
        let stamp = batch.versions[row], month = Int(batch.month[row])
        end(Int(Int64(bitPattern: batch.keyHashes[row])))
        end(Int(Int64(bitPattern: stamp.keyCheck)))
        end(stamp.version.updatedAt, missing: .min)
        end(stamp.version.sequence, missing: .min)
        end(RecordLocation(batch.offsets[row]).offset)
        end(month / 12 * 100 + month % 12 + 1)
        end(Int(batch.day[row]))
        end(Int(batch.status[row]))
        end(Int(batch.region[row]))
        end(Int(batch.tripType[row]))
        end(Int(batch.sourcing[row]))
        for interval in 0..<TripInterval.allCases.count {
            let seconds = batch.intervals[interval][row]
            if seconds >= 0 { digits(of: Int(seconds)) }
            bytes.append(Self.tab)
        }
        end(batch.costCents[row], missing: AmountState.absent)
        end(batch.loadedHundredths[row], missing: AmountState.absent)
        end(batch.unloadedHundredths[row], missing: AmountState.absent)
        end(Int(Int64(bitPattern: batch.patientHashes[row])), missing: 0)
        digits(of: Int(batch.warnings[row]))
        bytes.append(Self.lineFeed)
    }

    private mutating func end(_ number: Int) {
        digits(of: number)
        bytes.append(Self.tab)
    }

    private mutating func end(_ number: Int, missing: Int) {
        if number != missing { digits(of: number) }
        bytes.append(Self.tab)
    }

    private mutating func digits(of number: Int) {
        if number < 0 { bytes.append(UInt8(ascii: "-")) }
        var rest = number.magnitude
        var first = bytes.count
        repeat {
            bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10))
            rest /= 10
        } while rest > 0
        var last = bytes.count - 1
        while first < last {
            bytes.swapAt(first, last)
            first += 1
            last -= 1
        }
    }
}
