/// The needed paths as a tree of keys. Node 0 is the element itself.
///
/// A path is found nested (`{"patient":{"dob":…}}`) and, at the top level, as one literal dotted key.
struct JSONKeyTree: Sendable {
    struct Node: Sendable {
        let name: [UInt8]
        let parent: Int32
        /// The path that ends here, or -1.
        var leaf: Int32 = -1
        /// Under which number the key is marked as seen; nodes of one leaf share it, so both spellings count once.
        var slot: Int32 = -1
        var children: [Int32] = []
    }

    struct Alias: Sendable {
        let copy: Int
        let original: Int
    }

    private(set) var nodes: [Node] = [Node(name: [], parent: -1)]
    /// Paths that are given more than once: their spans are copied from the first.
    private(set) var aliases: [Alias] = []
    let pathCount: Int
    private(set) var slotCount: Int

    init(paths: [[String]]) {
        pathCount = paths.count
        slotCount = paths.count
        var firstOf: [[String]: Int] = [:]
        for (number, path) in paths.enumerated() where !path.isEmpty {
            if let original = firstOf.updateValue(firstOf[path] ?? number, forKey: path) {
                aliases.append(Alias(copy: number, original: original))
                continue
            }
            add(path, leaf: number)
        }
        // After the nested spellings: where both name one node, the path that was asked for key by key has it.
        for (number, path) in paths.enumerated() where path.count > 1 && firstOf[path] == number {
            add([path.joined(separator: ".")], leaf: number)
        }
        for node in nodes.indices.dropFirst() where nodes[node].slot < 0 {
            nodes[node].slot = Int32(slotCount)
            slotCount += 1
        }
    }

    private mutating func add(_ path: [String], leaf: Int) {
        var node = 0
        for key in path {
            let name = Array(key.utf8)
            if let child = nodes[node].children.first(where: { nodes[Int($0)].name == name }) {
                node = Int(child)
            } else {
                nodes.append(Node(name: name, parent: Int32(node)))
                nodes[node].children.append(Int32(nodes.count - 1))
                node = nodes.count - 1
            }
        }
        guard nodes[node].leaf < 0 else { return }
        nodes[node].leaf = Int32(leaf)
        nodes[node].slot = Int32(leaf)
    }
}

extension UnsafePointer<JSONKeyTree.Node> {
    /// The child of `node` with this name, or -1. `self` are the nodes of a tree.
    func child(of node: Int32, named name: UnsafeBufferPointer<UInt8>) -> Int32 {
        for child in self[Int(node)].children {
            let candidate = self[Int(child)].name
            if candidate.count == name.count, candidate.elementsEqual(name) { return child }
        }
        return -1
    }
}
