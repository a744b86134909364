/// Something that is printed field by field.
protocol OutputRecord {
  /// The fields, in the order of the table's columns.
  static var fields: [OutputField<Self>] { get }
}

/// One field of a record: a member of its JSON object and, mostly, a column of the table.
struct OutputField<Record> {
  /// The name in JSON.
  let name: String
  /// The heading of the column; nil if the table leaves the field out.
  let heading: String?
  /// Reads the field.
  let value: (Record) -> JSONValue
}

extension OutputRecord {
  /// The record as an object with every field, null where it has no value.
  var json: JSONValue {
    .object(.init(uniqueKeysWithValues: Self.fields.map { ($0.name, $0.value(self)) }))
  }
}
