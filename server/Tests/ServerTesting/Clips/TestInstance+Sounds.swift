import Platform
import Videos

@testable import Composition

extension TestInstance {
  /// As if these clips sounded alike; nil: as if none of them sounded like another.
  func setSound(_ sound: String?, of clipIDs: [String]) async throws {
    let clips = instance.clips
    for id in clipIDs {
      try await instance.database.write { try clips.setSound(sound, of: id, in: $0) }
    }
  }
}
