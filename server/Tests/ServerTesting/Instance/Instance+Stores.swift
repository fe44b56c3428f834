import Accounts
import Contract
import Feed
import Messages
import Moderation
import Platform
import Profiles
import Search
import Social
import Watching

@testable import Composition

/// The stores of an instance by themselves, with the keys of its cursors.
extension Instance {
  func messages(
    _ guests: Commenting, notices: (any MessageNotices)? = nil, time: (any TimeSource)? = nil
  ) async throws -> MessageStore {
    messages(on: database, guests, cursorKeys: try await cursorKeys(), notices: notices, time: time)
  }

  func feed(_ state: Commenting, time: (any TimeSource)? = nil) async throws -> FeedStore {
    feed(on: database, state, time: time, cursorKeys: try await cursorKeys())
  }

  func social(_ state: Commenting, notices: (any SocialNotices)? = nil) async throws -> SocialStore {
    social(on: database, state, cursorKeys: try await cursorKeys(), notices: notices)
  }

  func search(_ state: Commenting) async throws -> SearchStore {
    search(on: database, state, cursorKeys: try await cursorKeys())
  }

  func moderation(_ accounts: Accounts, time: (any TimeSource)? = nil) async throws -> ModerationStore {
    FeatureContext(self, cursorKeys: try await cursorKeys(), time: time, accounts: accounts).moderation
  }

  func profiles(_ state: Commenting) async throws -> ProfileStore {
    profiles(on: database, state, cursorKeys: try await cursorKeys())
  }

  /// Adds up how clips were left. Counts the visits.
  @discardableResult
  func foldRetention() async throws -> Int { try await RetentionCurves(database: database).fold() }
}
