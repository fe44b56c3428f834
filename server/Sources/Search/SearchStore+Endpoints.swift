internal import Contract
internal import Features
internal import Platform

extension SearchStore {
  var endpoints: [Endpoint] {
    [
      Endpoint(readingClips: "foundClips") { call in
        let place = try call.page()
        return try await clips(
          call.asked, cursor: place.cursor, limit: place.limit, for: call.viewer?.id)
      },
      Endpoint(reading: "foundPeople") { call in
        let place = try call.page()
        return try await people(
          call.asked, cursor: place.cursor, limit: place.limit, for: call.viewer?.id)
      },
      Endpoint(reading: "foundTags") { call in
        let place = try call.page()
        return try await tags(call.asked, cursor: place.cursor, limit: place.limit)
      },
      Endpoint(reading: "foundSounds") { call in
        let place = try call.page()
        return try await sounds(
          call.asked, cursor: place.cursor, limit: place.limit, for: call.viewer?.id)
      },
      Endpoint(reading: "searchSuggestions") { call in
        try await suggestions(call.asked, for: call.viewer?.id)
      },
    ]
  }
}

extension Call {
  fileprivate var asked: String { query("q") ?? "" }
}
