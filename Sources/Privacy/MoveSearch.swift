/// Finds the cheapest move that changes one count in one direction, as the prices and the world stand.
///
/// Cells are looked at from the cheapest on, and a branch is left as soon as it cannot be cheaper than what was found:
/// where hidden cells are enough, few others are looked at.
struct MoveSearch {
    let lattice: CellLattice
    let leaves: [Leaf]
    let target: CountTarget
    let isLoss: Bool
    /// By how much the count has to change.
    let need: Int

    /// - Parameter ways: the classes that it may change against, nil for none, with the prices of that.
    func cheapest(in world: OtherWorld, _ ways: [(other: Int?, prices: CellPrices)]) -> CellMove? {
        var best = Best(need: need)
        let lossRoom = world.lossRoom[target.countClass]
        for isTransfer in [false, true] {
            for (other, prices) in ways where prices.prices[target.cell] < CellPrices.forbidden {
                // Nothing is cheaper than what hides nothing and goes all the way; what goes a part of it is gone first.
                if best.limit == 0 || isTransfer && best.found?.cost == 0 { break }
                best.other = other
                let gainRoom = other.map { world.lossRoom[$0] } ?? world.gainRoom[target.countClass]
                let (like, unlike) = isLoss ? (lossRoom, gainRoom) : (gainRoom, lossRoom)
                if isTransfer {
                    findTransfer(&best, prices.transferCosts.span, like.span, unlike.span)
                } else {
                    findProduct(&best, prices.prices.span, like.span, unlike.span)
                }
            }
        }
        guard let found = best.found else { return nil }
        switch found.way {
        case .product(let first, let second, let third):
            return CellMove(
                from: target.cell, (first, second, third), isLoss: isLoss, countClass: target.countClass,
                against: found.other, amount: found.amount, in: lattice)
        case .transfer(let own, let partner):
            return CellMove(
                from: isLoss ? own : partner, to: isLoss ? partner : own, countClass: target.countClass,
                against: found.other, amount: found.amount, in: lattice)
        }
    }

    private enum Way {
        case product(MoveStep, MoveStep, MoveStep)
        case transfer(own: Int, partner: Int)
    }

    private struct Best {
        let need: Int
        /// The class against which is looked for now.
        var other: Int?
        /// What the whole change would cost at the best rate: where much is needed, half a step is dear.
        private(set) var limit = CellPrices.forbidden
        private(set) var found: (way: Way, cost: Int, amount: Int, other: Int?)?

        init(need: Int) {
            self.need = need
        }

        @inline(__always)
        mutating func offer(_ way: @autoclosure () -> Way, cost: Int, amount: Int) {
            let whole = amount == need ? cost : (cost + 1) * need / amount
            guard whole < limit else { return }
            limit = whole
            found = (way(), cost, amount, other)
        }
    }

    /// All steps from the target along an axis, the cheapest first.
    private func steps(_ axis: Int, _ prices: Span<Int>) -> [MoveStep] {
        let cell = target.cell, own = lattice.coordinate(axis, of: cell)
        var steps: [MoveStep] = []
        for coordinate in 0..<lattice.sizes[axis] where coordinate != own {
            let offset = lattice.offset(axis, coordinate - own)
            let price = prices[cell + offset]
            guard price < CellPrices.forbidden else { continue }
            steps.append(MoveStep(offset: offset, isTransfer: own != 0 && coordinate != 0, price: price))
        }
        steps.sort { ($0.price, $0.offset) < ($1.price, $1.offset) }
        return steps
    }

    /// - Parameters:
    ///   - prices: by cell.
    ///   - like: by cell, by how much it can change the way of the target; `unlike`: the other way.
    private func findProduct(_ best: inout Best, _ prices: Span<Int>, _ like: Span<Int>, _ unlike: Span<Int>) {
        let cell = target.cell
        let ownRoom = min(need, like[cell])
        guard ownRoom > 0 else { return }
        let firsts = steps(0, prices), seconds = steps(1, prices), thirds = steps(2, prices)
        guard let second = seconds.first, let third = thirds.first else { return }
        for one in firsts {
            if one.price + second.price + third.price >= best.limit { break }
            let oneTurns = one.isTransfer, oneCell = cell + one.offset
            let oneRoom = min(ownRoom, oneTurns ? unlike[oneCell] : like[oneCell])
            if oneRoom <= 0 { continue }
            for two in seconds {
                if one.price + two.price + third.price >= best.limit { break }
                let twoCell = cell + two.offset, bothCell = oneCell + two.offset
                let bothPrice = one.price + two.price + prices[bothCell]
                if bothPrice + third.price >= best.limit { continue }
                let twoTurns = two.isTransfer, bothTurn = oneTurns != twoTurns
                let bothRoom = min(
                    oneRoom, twoTurns ? unlike[twoCell] : like[twoCell], bothTurn ? unlike[bothCell] : like[bothCell])
                if bothRoom <= 0 { continue }
                for three in thirds {
                    let offset = three.offset
                    if bothPrice + three.price >= best.limit { break }
                    let cost =
                        bothPrice + three.price + prices[oneCell + offset] + prices[twoCell + offset]
                        + prices[bothCell + offset]
                    if cost >= best.limit { continue }
                    let turns = three.isTransfer
                    var amount = min(bothRoom, turns ? unlike[cell + offset] : like[cell + offset])
                    amount = min(amount, oneTurns != turns ? unlike[oneCell + offset] : like[oneCell + offset])
                    amount = min(amount, twoTurns != turns ? unlike[twoCell + offset] : like[twoCell + offset])
                    amount = min(amount, bothTurn != turns ? unlike[bothCell + offset] : like[bothCell + offset])
                    if amount <= 0 { continue }
                    best.offer(.product(one, two, three), cost: cost, amount: amount)
                    // Nothing can be cheaper than what hides nothing and goes all the way.
                    if best.limit == 0 { return }
                }
            }
        }
    }

    /// From one leaf to any other: it touches all that holds the one and not the other. Dearer than a product of steps,
    /// unless most of that is hidden anyway.
    private func findTransfer(_ best: inout Best, _ costs: Span<Int>, _ like: Span<Int>, _ unlike: Span<Int>) {
        let axes = (
            lattice.coordinate(0, of: target.cell), lattice.coordinate(1, of: target.cell),
            lattice.coordinate(2, of: target.cell)
        )
        var owns: [TransferEnd] = [], partners: [TransferEnd] = []
        for (number, leaf) in leaves.enumerated() {
            let first = number * CellPrices.costsPerLeaf
            guard costs[first] < best.limit else { continue }
            let isOwn = leaf.lies(in: axes)
            let room = min(need, isOwn ? like[leaf.cell] : unlike[leaf.cell])
            guard room > 0 else { continue }
            let end = TransferEnd(leaf: leaf, room: room, first: first, least: costs[first])
            if isOwn { owns.append(end) } else { partners.append(end) }
        }
        for own in owns where own.least < best.limit {
            for partner in partners where own.least + partner.least < best.limit {
                let differing = own.leaf.axes(differingFrom: partner.leaf)
                let cost = costs[own.first + differing] + costs[partner.first + differing]
                guard cost < best.limit else { continue }
                best.offer(
                    .transfer(own: own.leaf.cell, partner: partner.leaf.cell), cost: cost,
                    amount: min(own.room, partner.room))
                if best.limit == 0 { return }
            }
        }
    }

    /// A leaf that may lose or gain.
    private struct TransferEnd {
        let leaf: Leaf
        let room: Int
        /// Where its transfer costs begin.
        let first: Int
        /// What it costs at least, whatever the other leaf.
        let least: Int
    }
}
