import Store

/// Fifty reducers of one part each, combined in one expression, for the type checker.
struct ManyParts: Sendable {
  var parts = Parts()

  struct Parts: Sendable {
    var part1 = 0
    var part2 = 0
    var part3 = 0
    var part4 = 0
    var part5 = 0
    var part6 = 0
    var part7 = 0
    var part8 = 0
    var part9 = 0
    var part10 = 0
    var part11 = 0
    var part12 = 0
    var part13 = 0
    var part14 = 0
    var part15 = 0
    var part16 = 0
    var part17 = 0
    var part18 = 0
    var part19 = 0
    var part20 = 0
    var part21 = 0
    var part22 = 0
    var part23 = 0
    var part24 = 0
    var part25 = 0
    var part26 = 0
    var part27 = 0
    var part28 = 0
    var part29 = 0
    var part30 = 0
    var part31 = 0
    var part32 = 0
    var part33 = 0
    var part34 = 0
    var part35 = 0
    var part36 = 0
    var part37 = 0
    var part38 = 0
    var part39 = 0
    var part40 = 0
    var part41 = 0
    var part42 = 0
    var part43 = 0
    var part44 = 0
    var part45 = 0
    var part46 = 0
    var part47 = 0
    var part48 = 0
    var part49 = 0
    var part50 = 0
  }
}

struct Step: Action {}

let partReducer = Reducer<Int>.on(Step.self) { part, _ in part += 1 }

let manyPartsReducer = Reducer<ManyParts>.combine(
  partReducer.scoped(to: \.parts.part1),
  partReducer.scoped(to: \.parts.part2),
  partReducer.scoped(to: \.parts.part3),
  partReducer.scoped(to: \.parts.part4),
  partReducer.scoped(to: \.parts.part5),
  partReducer.scoped(to: \.parts.part6),
  partReducer.scoped(to: \.parts.part7),
  partReducer.scoped(to: \.parts.part8),
  partReducer.scoped(to: \.parts.part9),
  partReducer.scoped(to: \.parts.part10),
  partReducer.scoped(to: \.parts.part11),
  partReducer.scoped(to: \.parts.part12),
  partReducer.scoped(to: \.parts.part13),
  partReducer.scoped(to: \.parts.part14),
  partReducer.scoped(to: \.parts.part15),
  partReducer.scoped(to: \.parts.part16),
  partReducer.scoped(to: \.parts.part17),
  partReducer.scoped(to: \.parts.part18),
  partReducer.scoped(to: \.parts.part19),
  partReducer.scoped(to: \.parts.part20),
  partReducer.scoped(to: \.parts.part21),
  partReducer.scoped(to: \.parts.part22),
  partReducer.scoped(to: \.parts.part23),
  partReducer.scoped(to: \.parts.part24),
  partReducer.scoped(to: \.parts.part25),
  partReducer.scoped(to: \.parts.part26),
  partReducer.scoped(to: \.parts.part27),
  partReducer.scoped(to: \.parts.part28),
  partReducer.scoped(to: \.parts.part29),
  partReducer.scoped(to: \.parts.part30),
  partReducer.scoped(to: \.parts.part31),
  partReducer.scoped(to: \.parts.part32),
  partReducer.scoped(to: \.parts.part33),
  partReducer.scoped(to: \.parts.part34),
  partReducer.scoped(to: \.parts.part35),
  partReducer.scoped(to: \.parts.part36),
  partReducer.scoped(to: \.parts.part37),
  partReducer.scoped(to: \.parts.part38),
  partReducer.scoped(to: \.parts.part39),
  partReducer.scoped(to: \.parts.part40),
  partReducer.scoped(to: \.parts.part41),
  partReducer.scoped(to: \.parts.part42),
  partReducer.scoped(to: \.parts.part43),
  partReducer.scoped(to: \.parts.part44),
  partReducer.scoped(to: \.parts.part45),
  partReducer.scoped(to: \.parts.part46),
  partReducer.scoped(to: \.parts.part47),
  partReducer.scoped(to: \.parts.part48),
  partReducer.scoped(to: \.parts.part49),
  partReducer.scoped(to: \.parts.part50)
)
