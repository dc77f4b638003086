/// Steps that are taken in their order, and are gone once they are: a plan may have very many.
struct StepQueue {
  /// A block is large enough for the system to get its memory back.
  private static let blockSize = 16_384

  /// The blocks that are left, the next one last.
  private var blocks: [[Plan.Step]] = []
  /// How many of the next block were taken.
  private var taken = 0
  /// How many steps are left.
  private(set) var count: Int

  /// A queue of some of the steps of a plan.
  init(_ steps: ArraySlice<Plan.Step>) {
    count = steps.count
    var rest = steps
    while !rest.isEmpty {
      blocks.append(Array(rest.prefix(Self.blockSize)))
      rest = rest.dropFirst(Self.blockSize)
    }
    blocks.reverse()
  }

  /// The next step; `nil` where none is left.
  var first: Plan.Step? { blocks.last?[taken] }

  /// Takes steps from the front.
  ///
  /// - Parameters:
  ///   - maximum: how many at most.
  ///   - isWanted: whether a step is one of them; those after the first other one stay.
  mutating func take(_ maximum: Int, while isWanted: (Plan.Step) -> Bool) -> [Plan.Step] {
    var steps: [Plan.Step] = []
    while let block = blocks.last {
      let found = block[taken...].prefix(maximum - steps.count).prefix(while: isWanted)
      steps += found
      taken += found.count
      guard taken == block.count else { break }
      blocks.removeLast()
      taken = 0
    }
    count -= steps.count
    return steps
  }
}
