import Store
import TestSupport
import Testing

/// Reducers of one element of many.
@Suite(.timeLimit(.minutes(5)))
struct ReducerElementsTests {
  private struct Row: Identifiable, Equatable, Sendable {
    let id: Int
    var journal = Journal()
  }
  private struct Table: Equatable, Sendable {
    var rows: [Row] = []
    var byName: [String: Journal] = [:]
  }
  private struct RowIncrement: Action {
    var rowID: Int
    var action = Increment()
  }
  private struct NamedNote: Action {
    var name: String
    var note: Note
  }

  private static let rowReducer = journalReducer.scoped(to: \Row.journal)
  private static let tableReducer = Reducer<Table>.combine(
    rowReducer.forEach(\.rows, on: RowIncrement.self, id: \.rowID, action: \.action),
    journalReducer.forEach(\.byName, on: NamedNote.self, id: \.name, action: \.note))

  @Test func `S14: an action changes the element of an array that it names, and no other`() {
    let table = Table(rows: (1...3).map { Row(id: $0) })

    let changed = Self.tableReducer(table, RowIncrement(rowID: 2))

    #expect(changed.rows.map(\.journal.count) == [0, 1, 0])
  }

  @Test func `S14: an action changes the value of a dictionary whose key it names, and no other`() {
    let table = Table(byName: ["a": Journal(), "b": Journal()])

    let changed = Self.tableReducer(table, NamedNote(name: "b", note: Note("A")))

    #expect(changed.byName == ["a": Journal(), "b": Journal(notes: ["A"])])
  }

  @Test func `S14: an identity that is not there changes nothing and adds nothing`() {
    let table = Table(rows: [Row(id: 1)], byName: ["a": Journal()])

    #expect(Self.tableReducer(table, RowIncrement(rowID: 2)) == table)
    #expect(Self.tableReducer(table, NamedNote(name: "b", note: Note("A"))) == table)
    #expect(Self.tableReducer(Table(), RowIncrement(rowID: 2)) == Table())
    #expect(Self.tableReducer(Table(), NamedNote(name: "b", note: Note("A"))) == Table())
  }

  @Test func `S14: an identity that is not there tells nobody, not even of the whole state`() {
    let store = Store(
      initialState: Table(rows: [Row(id: 1)], byName: ["a": Journal()]),
      reducer: Self.tableReducer)
    let told = Recorder<Table>()
    let subscription = store.subscribe(initial: false) { told.record($0) }

    store.dispatch(RowIncrement(rowID: 2))
    store.dispatch(NamedNote(name: "b", note: Note("A")))
    #expect(told.values == [])

    store.dispatch(RowIncrement(rowID: 1))
    store.dispatch(NamedNote(name: "a", note: Note("A")))
    #expect(told.count == 2)
    subscription.cancel()
  }

  @Test func `S14: the element's action by itself reaches no element`() {
    let table = Table(rows: [Row(id: 1)], byName: ["a": Journal()])

    #expect(Self.tableReducer(table, Increment()) == table)
    #expect(Self.tableReducer(table, Note("A")) == table)
  }

  @Test func `S14: of two elements with one identity the first is meant`() {
    let table = Table(rows: [Row(id: 1), Row(id: 2), Row(id: 1)])
    let changed = Self.tableReducer(table, RowIncrement(rowID: 1))
    #expect(changed.rows.map(\.journal.count) == [1, 0, 0])
  }

  @Test func `S14: the reducers of an element run in the order written, on that element`() {
    // Given a first reducer of the element that takes its identity away
    struct Item: Identifiable, Sendable {
      var id: Int
      var log: [String] = []
    }
    let reducer = Reducer<Item>.combine(
      .on(Increment.self) { item, _ in
        item.log.append("first")
        item.id = 7
      },
      .on(Increment.self) { item, _ in item.log.append("second") }
    ).forEach(\[Item].self, on: RowIncrement.self, id: \.rowID, action: \.action)

    // When
    let items = reducer([Item(id: 1), Item(id: 2)], RowIncrement(rowID: 2))

    // Then
    #expect(items.map(\.log) == [[], ["first", "second"]])
  }

  @Test func `S14: an action that names the element itself is given as it is`() {
    struct Rename: Action { var id: Int, name: String }
    struct Item: Identifiable, Sendable { var id: Int, name: String }
    let reducer = Reducer<Item>.on(Rename.self) { item, rename in item.name = rename.name }
      .forEach(\[Item].self, on: Rename.self, id: \.id, action: \.self)

    let items = reducer([Item(id: 1, name: "a"), Item(id: 2, name: "b")], Rename(id: 2, name: "c"))

    #expect(items.map(\.name) == ["a", "c"])
  }

  @Test func `S14: elements nest, and compose with optional parts`() {
    // Given a table in every cell of a row, and rows that are not always there
    struct Cell: Identifiable, Sendable, Equatable { var id: Int, count = 0 }
    struct Line: Identifiable, Sendable, Equatable { var id: Int, cells: [Cell]? }
    struct CellIncrement: Action {
      var cellID: Int
      var action = Increment()
    }
    struct LineAction: Action {
      var lineID: Int
      var cell: CellIncrement
    }
    let cellReducer = Reducer<Cell>.on(Increment.self) { cell, _ in cell.count += 1 }
    let reducer =
      cellReducer
      .forEach(\[Cell].self, on: CellIncrement.self, id: \.cellID, action: \.action)
      .scoped(to: \Line.cells)
      .forEach(\[Line].self, on: LineAction.self, id: \.lineID, action: \.cell)
    let lines = [Line(id: 1, cells: nil), Line(id: 2, cells: [Cell(id: 5), Cell(id: 6)])]

    // Then
    #expect(reducer(lines, LineAction(lineID: 1, cell: CellIncrement(cellID: 5))) == lines)
    #expect(
      reducer(lines, LineAction(lineID: 2, cell: CellIncrement(cellID: 6))) == [
        Line(id: 1, cells: nil), Line(id: 2, cells: [Cell(id: 5), Cell(id: 6, count: 1)]),
      ])
  }

  @Test func `S14: an element of a hundred thousand is changed where it stands, without a copy`() {
    // Given elements that notice being copied, in an array and in a dictionary
    struct Item: Identifiable, Sendable {
      let id: Int
      var part = CopyNoticing()
    }
    struct Many: Sendable {
      var array: [Item]
      var dictionary: [Int: Item]
    }
    struct Touch: Action { var id: Int }
    let touching = Reducer<Item>.on(Touch.self) { item, _ in item.part.change() }
    let store = Store(
      initialState: Many(
        array: (0..<100_000).map { Item(id: $0) },
        dictionary: Dictionary(uniqueKeysWithValues: (0..<100_000).map { ($0, Item(id: $0)) })),
      reducer: .combine(
        touching.forEach(\.array, on: Touch.self, id: \.id, action: \.self),
        touching.forEach(\.dictionary, on: Touch.self, id: \.id, action: \.self)))

    // When
    for id in [0, 50_000, 99_999, 99_999] { store.dispatch(Touch(id: id)) }

    // Then
    let state = store.state
    #expect([0, 50_000, 99_999].map { state.array[$0].part.changes } == [1, 1, 2])
    #expect([0, 50_000, 99_999].map { state.dictionary[$0]?.part.changes } == [1, 1, 2])
    #expect(state.array.allSatisfy { $0.part.copies == 0 })
    #expect(state.dictionary.values.allSatisfy { $0.part.copies == 0 })

    // and somebody who does hold the state is noticed
    store.dispatch(Touch(id: 7))
    #expect(store.state.array[7].part.copies == 1)
    #expect(store.state.dictionary[7]?.part.copies == 1)
    #expect(state.array[7].part.changes == 0)
  }
}
