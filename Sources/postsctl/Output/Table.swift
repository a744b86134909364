/// Records in columns, aligned by what a terminal shows rather than by characters.
///
/// Two spaces part the columns, and `-` stands for a value that is not there. Nothing is cut off.
struct Table {
  /// The table with its headings, a line a record, and a newline at the end.
  let text: String

  /// Lays the records out.
  init<Record: OutputRecord>(_ records: [Record]) {
    let fields = Record.fields.filter { $0.heading != nil }
    let headings = fields.map { VisibleText($0.heading ?? "") }
    let lines =
      [headings] + records.map { record in fields.map { Self.cell($0.value(record)) } }
    let widths = fields.indices.map { column in lines.reduce(0) { max($0, $1[column].width) } }
    var text = ""
    for line in lines {
      for (column, cell) in line.enumerated() {
        text += cell.text
        // The last column is not padded: spaces at the end of a line are only in the way.
        guard column < line.count - 1 else { continue }
        text += String(repeating: " ", count: widths[column] - cell.width + 2)
      }
      text += "\n"
    }
    self.text = text
  }

  private static func cell(_ value: JSONValue) -> VisibleText {
    switch value {
    case .null: VisibleText("-")
    case .number(let number): VisibleText(String(number))
    case .string(let string): VisibleText(string)
    case .array, .object: VisibleText(value.document)
    }
  }
}
