internal import Accounts
internal import ArgumentParser
internal import Composition
internal import Contract
internal import Foundation
internal import Options
internal import Platform
internal import Videos

struct AccountsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "accounts", abstract: "Shows accounts, and does to them what their owners cannot.",
    subcommands: [
      List.self, Show.self, ResetLink.self, EndSecondStep.self, Suspend.self, Unsuspend.self, SetRole.self,
      Delete.self, Take.self,
    ])

  /// Which account, and of which instance.
  struct Target: ParsableArguments {
    @Argument(help: "The handle, with or without @.")
    var handle: String
    @OptionGroup var options: DataOptions

    func accounts() async throws -> Accounts { try await options.open().accounts() }
  }

  struct List: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Lists the newest accounts: id, time, role and handle.")
    @OptionGroup var options: DataOptions
    @OptionGroup var limits: LimitOptions

    func run() async throws {
      let all = try await options.open().accounts().newest(limits.limit)
      if all.isEmpty { Console.say("There are no accounts.") }
      for account in all {
        Console.say(
          "\(account.id)  \(account.createdAt.formatted(.iso8601))  \(account.role)\(account.suspended ? ", suspended" : "")  @\(account.handle)"
        )
      }
    }
  }

  struct Show: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Shows an account and its sessions.")
    @OptionGroup var target: Target

    func run() async throws {
      let accounts = try await target.accounts()
      let account = try await accounts.account(handle: target.handle)
      Console.say(
        """
        id          \(account.id)
        handle      @\(account.handle)
        name        \(Console.printable(account.name))
        e-mail      \(account.email ?? "none")\(account.pendingEmail.map { " (waits for confirmation: \($0))" } ?? "")
        role        \(account.role)\(account.suspended ? ", suspended" : "")
        since       \(account.createdAt.formatted(.iso8601))
        """)
      let ways = try await accounts.waysIn(account.id)
      if !ways.password { Console.say("password    none") }
      for item in ways.items {
        Console.say(
          "opened by   \(Console.printable(item.name))\(item.email.map { "  \(Console.printable($0))" } ?? "")"
        )
      }
      let second = try await accounts.secondFactors(of: account.id)
      if let since = second.codeAppSince {
        Console.say(
          "code app    since \(since.formatted(.iso8601)), \(second.recoveryCodes) recovery codes left")
      }
      for session in try await accounts.sessions(of: Viewer(id: account.id, standing: .guest)).items {
        let client = session.client.isEmpty ? "a client without a name" : Console.printable(session.client)
        Console.say("session     \(session.id)  \(session.usedAt.formatted(.iso8601))  \(client)")
      }
    }
  }

  struct ResetLink: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "reset-link", abstract: "Makes a link by which the owner sets a new password within a day."
    )
    @OptionGroup var target: Target
    @Option(help: "The address by which people reach the server.")
    var origin = "http://127.0.0.1:8080"

    func run() async throws {
      let accounts = try await target.accounts()
      let token = try await accounts.resetToken(handle: target.handle)
      SecurityLog.note("reset-request", account: try await accounts.account(handle: target.handle).id)
      Console.say("\(origin.hasSuffix("/") ? String(origin.dropLast()) : origin)/#reset=\(token)")
    }
  }

  struct EndSecondStep: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "end-second-step",
      abstract: "Has signing in to an account ask for no code any more.",
      discussion: """
        For whoever has lost the app and the recovery codes. See first that it is the owner who asks: from then on the \
        password alone opens the account.
        """)
    @OptionGroup var target: Target

    func run() async throws {
      let accounts = try await target.accounts()
      let wasOn = try await accounts.endSecondFactor(handle: target.handle)
      if wasOn {
        SecurityLog.note("code-app-off", account: try await accounts.account(handle: target.handle).id)
      }
      Console.say(wasOn ? "no code  \(target.handle)" : "\(target.handle) asks for no code.")
    }
  }

  struct Suspend: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Lets an account read and sign out, and nothing else.",
      discussion: """
        Clips and comments stay. With --hide-clips nobody but the account sees its clips any more; servers on the same data \
        know within seconds, and `unsuspend` shows them as before. What caches in front of a server hold of them they go on \
        giving to whoever knows its addresses; `clipfeed visibility` lists those of a clip.
        """)
    @OptionGroup var target: Target
    @Flag(help: "Hides all its clips as well.")
    var hideClips = false

    func run() async throws {
      let instance = try await target.options.open()
      let accounts = try await instance.accounts()
      // First, so that none is added or shown meanwhile.
      try await accounts.setSuspended(true, handle: target.handle)
      let id = try await accounts.account(handle: target.handle).id
      SecurityLog.note("suspension", account: id)
      Console.say("suspended  \(target.handle)")
      guard hideClips else { return }
      let hidden = try await instance.clips.hideAll(of: id)
      for clip in hidden { Console.say("hidden     \(clip)") }
    }
  }

  struct Unsuspend: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Ends a suspension, and shows the clips that were hidden with it.")
    @OptionGroup var target: Target

    func run() async throws {
      let instance = try await target.options.open()
      let accounts = try await instance.accounts()
      try await accounts.setSuspended(false, handle: target.handle)
      let id = try await accounts.account(handle: target.handle).id
      SecurityLog.note("unsuspension", account: id)
      Console.say("not suspended  \(target.handle)")
      let shown = try await instance.clips.showAll(of: id)
      for clip in shown { Console.say("shown          \(clip)") }
    }
  }

  struct SetRole: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "role", abstract: "Makes an account a member, a moderator or an admin.")
    @OptionGroup var target: Target
    @Argument(help: "member, moderator or admin.")
    var role: String

    func validate() throws {
      guard Viewer.Role(rawValue: role) != nil else {
        throw ValidationError("The role must be one of member, moderator, admin.")
      }
    }

    func run() async throws {
      let accounts = try await target.accounts()
      try await accounts.setRole(Viewer.Role(rawValue: role) ?? .member, handle: target.handle)
      SecurityLog.note("role-\(role)", account: try await accounts.account(handle: target.handle).id)
      Console.say("\(role)  \(target.handle)")
    }
  }

  struct Delete: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Deletes an account with its clips and everything else that it left, for good.")
    @OptionGroup var target: Target
    @Flag(help: "Without it nothing is deleted.")
    var yes = false

    func run() async throws {
      let accounts = try await target.accounts()
      let account = try await accounts.account(handle: target.handle)
      guard yes else {
        throw ValidationError(
          "This deletes @\(account.handle) (\(account.id)) for good; say --yes if it is meant.")
      }
      try await accounts.delete(handle: target.handle)
      SecurityLog.note("account-deletion", account: account.id)
      Console.say("deleted  @\(account.handle)")
    }
  }
}
