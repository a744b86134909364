/// The layout of a local service's file.
enum LocalSchema {
  /// What marks a SQLite file as one of ours: "MLRC" in the header's application_id.
  static let applicationID: Int32 = 0x4D4C_5243

  /// The layout that this code reads and writes, in the header's user_version.
  ///
  /// A change of layout raises it, and adds the step from the version before to ``LocalDatabase``.
  static let version: Int32 = 1

  /// Makes the tables.
  ///
  /// AUTOINCREMENT never gives the identity of a deleted post to another one.
  static let tables = """
    CREATE TABLE users (
      id INTEGER PRIMARY KEY,
      name TEXT NOT NULL,
      first_name TEXT,
      last_name TEXT,
      username TEXT,
      email TEXT,
      phone TEXT,
      website TEXT
    ) STRICT;
    CREATE TABLE posts (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      user_id INTEGER REFERENCES users (id),
      title TEXT NOT NULL CHECK (title <> ''),
      body TEXT NOT NULL
    ) STRICT;
    """

  /// Marks the file as ours, and with the layout that it has.
  static let mark = """
    PRAGMA application_id = \(applicationID);
    PRAGMA user_version = \(version);
    """

  /// Who is there when a file is first used, so that there is something to see and to post as.
  static let firstUsers = [
    User(
      id: 1, name: "Ada Brook", firstName: "Ada", lastName: "Brook", username: "ada",
      email: "ada@millrace.example", phone: "+44 1632 960001",
      website: "https://millrace.example/ada"),
    User(
      id: 2, name: "Jürgen Müller", firstName: "Jürgen", lastName: "Müller", username: "juergen",
      email: "juergen@millrace.example", phone: "+49 30 23125002",
      website: "https://millrace.example/juergen"),
    User(
      id: 3, name: "水野 葵", firstName: "葵", lastName: "水野", username: "aoi",
      email: "aoi@millrace.example"),
  ]

  /// What they wrote, by the user's place in ``firstUsers``, counted from 1.
  static let firstPosts: [(userID: Int64, title: String, body: String)] = [
    (
      1, "Where the water goes in",
      "A millrace is the swift current that turns a wheel.\nOpen the gate and it begins."
    ),
    (
      2, "Über das Rad",
      "Das Wasser fließt nur in eine Richtung,\nund das Rad dreht sich mit."
    ),
    (
      3, "水車の音",
      "朝早く、水車の音で目が覚めた。\n今日も水は同じ方へ流れている。"
    ),
  ]
}
