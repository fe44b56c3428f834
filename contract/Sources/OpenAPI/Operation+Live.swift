internal import Contract

extension Operation {
  static let live: [Operation] = [
    Operation(
      id: "listen", route: .live, method: "GET", tag: "live",
      summary: "Says what happens to whoever asks, as it happens.",
      about:
        "Server-sent events, for as long as the connection stays. The data of an event is a LiveEvent as JSON.",
      parameters: [
        .header("Last-Event-ID", .string, Note("The id of the last event that came: those behind it follow."))
      ],
      answers: [.text("text/event-stream", "The stream.")], codes: [.tooManyRequests],
      access: .viewers)
  ]
}
