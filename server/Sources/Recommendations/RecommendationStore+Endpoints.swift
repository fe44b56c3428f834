internal import Contract
internal import Features
internal import Platform

extension RecommendationStore {
  /// Pages of "For you" are the gateway's, as all pages of the feed are.
  func endpoints(_ telling: any RecommendedClips) -> [Endpoint] {
    [
      Endpoint(readingClips: "trending") { call in
        try await trending(for: call.viewer?.id, language: call.language, as: telling)
      },
      Endpoint(readingClips: "similarClips") { call in
        try await similar(to: call.id, for: call.viewer?.id, as: telling)
      },
      // Of somebody who has done nothing yet nothing is known.
      Endpoint(reading: "taste") { call in
        guard let viewer = call.viewer else { return Taste() }
        return try await taste(of: viewer.id)
      },
      Endpoint("personalise") { call in
        let wish = try await call.body(Personalisation.self)
        return try await personalise(wish.personalised, call.writer().id)
      },
      Endpoint(doing: "forgetTaste") { call in
        guard let viewer = call.viewer else { return }
        try await forgetTaste(of: viewer.id)
      },
      Endpoint("dismiss") { call in
        var dismissal = try await call.body(Dismissal.self)
        if dismissal.kind == .tag {
          // What no clip can have is left out of nothing.
          guard let tag = telling.tag(dismissal.subject) else { return dismissal }
          dismissal.subject = tag
        }
        return try await dismiss(dismissal, by: call.writer().id)
      },
      Endpoint(doing: "undismiss") { call in
        guard let kind = call.query("kind").flatMap(Dismissal.Kind.init), let subject = call.query("subject")
        else { throw AppError(.invalidParameter, "kind and subject must say what is meant.", field: "kind") }
        guard let viewer = call.viewer else { return }
        try await undismiss(Dismissal(kind, subject), by: viewer.id)
      },
    ]
  }
}
