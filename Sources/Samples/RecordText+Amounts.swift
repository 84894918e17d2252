extension RecordText {
    func append(miles amount: SampleRecord.Amount, to buffer: inout SampleBytes) {
        guard amount.hundredths != SampleRecord.absent else { return }
        if amount.notation == .bad {
            buffer.append(amount.hundredths % 2 == 0 ? "unk" : "12..5")
            return
        }
        if amount.hundredths < 0 { buffer.append(0x2D) }
        append(abs(amount.hundredths), decimals: amount.notation == .short ? 1 : 2, to: &buffer)
    }

    /// Odometers stand only beside loaded miles that can be read, and agree with them.
    func append(odometerOf record: SampleRecord, after hundredths: Int, to buffer: inout SampleBytes) {
        guard record.loadedMiles.hundredths >= 0, record.loadedMiles.notation != .bad else { return }
        append(1_000_000 + record.tripNumber % 9_000_000 * 3 + hundredths, decimals: 2, to: &buffer)
    }

    func append(cost amount: SampleRecord.Amount, to buffer: inout SampleBytes) {
        guard amount.hundredths != SampleRecord.absent else { return }
        switch amount.notation {
        case .plain: append(amount.hundredths, decimals: 2, to: &buffer)
        case .short: append(amount.hundredths, decimals: 1, to: &buffer)
        case .dollars:
            buffer.append(0x24)
            let thousands = amount.hundredths / 100_000
            if thousands > 0 {
                buffer.append(number: thousands)
                buffer.append(0x2C)
            }
            buffer.append(number: amount.hundredths / 100 % 1000, width: thousands > 0 ? 3 : 1)
            buffer.append(0x2E)
            buffer.append(twoDigits: amount.hundredths % 100)
        case .parentheses:
            buffer.append(0x28)
            append(-amount.hundredths, decimals: 2, to: &buffer)
            buffer.append(0x29)
        case .bad: buffer.append(amount.hundredths % 2 == 0 ? "TBD" : "12.345")
        }
    }

    private func append(_ hundredths: Int, decimals: Int, to buffer: inout SampleBytes) {
        buffer.append(number: hundredths / 100)
        buffer.append(0x2E)
        if decimals == 2 {
            buffer.append(twoDigits: hundredths % 100)
        } else {
            buffer.append(number: hundredths / 10 % 10)
        }
    }
}
