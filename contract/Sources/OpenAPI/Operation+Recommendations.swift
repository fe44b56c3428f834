internal import Contract

extension Operation {
  static let recommendations: [Operation] =
    reading(
      "trending", .trending, "recommendations", "Public clips that rise now, the fastest first.",
      FeedPage.self)
    + reading(
      "similarClips", .similarClips, "recommendations", "Public clips that resemble one, the nearest first.",
      FeedPage.self, codes: [.clipNotFound, .authorBlocked, .clipForAdults])
    + reading(
      "taste", .taste, "recommendations", "What the feed goes by for whoever asks.", Taste.self)
    + [
      Operation(
        id: "personalise", route: .taste, method: "PUT", tag: "recommendations",
        summary: "Says whether the feed may learn from what whoever asks does.",
        bodies: [.json(Personalisation.self)],
        answers: [.json(200, "How it stands now.", Personalisation.self)],
        access: .contributors, limit: .caller(.marks)),
      Operation(
        id: "forgetTaste", route: .taste, method: "DELETE", tag: "recommendations",
        summary: "Forgets what the feed has learned of whoever asks.",
        answers: [.empty(204, "It is forgotten.")], access: .contributors, limit: .caller(.marks)),
      Operation(
        id: "dismiss", route: .dismissals, method: "POST", tag: "recommendations",
        summary: "Wants less of a clip, an author, a tag or a sound.",
        bodies: [.json(Dismissal.self)], answers: [.json(200, "It is noted.", Dismissal.self)],
        codes: [.clipNotFound, .authorNotFound, .soundNotFound, .invalidParameter], access: .contributors,
        limit: .caller(.marks)),
      Operation(
        id: "undismiss", route: .dismissals, method: "DELETE", tag: "recommendations",
        summary: "Has nothing against it any more.",
        parameters: [
          .query("kind", .choice(name: "", of: Dismissal.Kind.allCases.map(\.rawValue)), isRequired: true),
          .query("subject", .string, Note(range: Limits.dismissalSubject), isRequired: true),
        ],
        answers: [.empty(204, "It counts as if it had never been said.")], codes: [.invalidParameter],
        access: .contributors, limit: .caller(.marks)),
    ]
}
