extension PostDraft {
  /// Refuses a title that says nothing, so that every service refuses it in the same way.
  func checkTitle() throws(DataServiceError) {
    guard title.contains(where: { !$0.isWhitespace }) else {
      throw .invalidRequest(reason: "the post has no title. Give it a title that is not blank.")
    }
  }
}
