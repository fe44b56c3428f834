internal import Accounts
internal import Logging
internal import ServiceLifecycle

/// Writes to people as soon as there is something to write, as long as the process runs.
struct AccountOutbox: Service {
  let accounts: Accounts

  func run() async throws {
    let logger = Logger(label: "clipfeed.accounts")
    await cancelWhenGracefulShutdown {
      await accounts.runOutbox { logger.warning("a message was not sent", metadata: ["error": "\($0)"]) }
    }
  }
}
