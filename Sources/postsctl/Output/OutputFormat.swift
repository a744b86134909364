/// How results are written.
enum OutputFormat: String, CaseIterable, Sendable {
  /// Columns for people, the same on a terminal and in a pipe.
  case table
  /// One document with every field, for programs.
  case json

  /// Writes a list of records.
  func text<Record: OutputRecord>(of records: [Record]) -> String {
    switch self {
    case .table: Table(records).text
    case .json: JSONValue.array(records.map(\.json)).document
    }
  }

  /// Writes one record: the same table with one line, or one object.
  func text<Record: OutputRecord>(of record: Record) -> String {
    switch self {
    case .table: Table([record]).text
    case .json: record.json.document
    }
  }
}
