internal import Contract

extension Operation {
  static let live: [Operation] = [
    Operation(
      id: "listen", route: .live, method: "GET", tag: "live",
      summary: "Says what happens to whoever asks, as it happens.",
      about:
        """
        Server-sent events, for as long as the connection stays; the schema of the answer is that of each. The data is a \
        LiveEvent as JSON, or an empty object where the event is about the stream itself: \(LiveEvent.ready), the first, \
        and \(LiveEvent.reset), which says that events may be missing.
        """,
      parameters: [
        .header("Last-Event-ID", .string, Note("The id of the last event that came: those behind it follow."))
      ],
      answers: [.events("The stream.", LiveEvent.self)],
      access: .viewers, limit: .viewer(.live))
  ]
}
