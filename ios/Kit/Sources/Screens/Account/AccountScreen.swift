public import AppModel
public import Foundation
public import SwiftUI

/// The account over the feed. Its model says where in it somebody is.
///
///     AccountScreen(model: account, base: server, preview: preview, close: { router.back() })
public struct AccountScreen: View {
  @Bindable private var model: AccountModel
  /// Pictures' addresses are relative to it.
  private let base: URL
  private let preview: ClipPreview
  private let close: @MainActor () -> Void

  public init(
    model: AccountModel, base: URL, preview: ClipPreview, close: @escaping @MainActor () -> Void
  ) {
    self.model = model
    self.base = base
    self.preview = preview
    self.close = close
  }

  public var body: some View {
    NavigationStack(path: $model.path) {
      root
        .navigationBarTitleDisplayMode(.inline)
        .toolbar {
          ToolbarItem(placement: .cancellationAction) {
            Button("Close", systemImage: "xmark", action: close)
          }
        }
        .navigationDestination(for: AccountModel.Place.self) { place in
          screen(place).navigationBarTitleDisplayMode(.inline)
        }
    }
  }

  @ViewBuilder private var root: some View {
    if let me = model.me {
      AccountHomeView(model: model, me: me, base: base).navigationTitle("Your account")
    } else {
      SignInView(model: model, entry: model.entry).navigationTitle("Sign in")
    }
  }

  @ViewBuilder private func screen(_ place: AccountModel.Place) -> some View {
    switch place {
    case .join: JoinView(entry: model.entry).navigationTitle("Create an account")
    case .newcomer: NewcomerView(entry: model.entry).navigationTitle("Create an account")
    case .secondStep: SecondStepView(entry: model.entry).navigationTitle("Second step")
    case .forgot: ForgotView(entry: model.entry).navigationTitle("Forgotten password")
    case .reset(let token):
      ResetView(model: model, entry: model.entry, token: token).navigationTitle("New password")
    case .confirm(let token):
      ConfirmView(entry: model.entry, token: token).navigationTitle("Your e-mail address")
    case .clips:
      OwnClipsView(model: model.clips, base: base, preview: preview).navigationTitle("Your clips")
    case .likes:
      ClipGridView(
        list: model.likes, base: base, preview: preview, none: "No likes yet. Double-tap a clip to like it."
      ) { model.open($0) }
      .navigationTitle("Likes")
    case .bookmarks:
      ClipGridView(list: model.bookmarks, base: base, preview: preview, none: "No bookmarks yet.") {
        model.open($0)
      }
      .navigationTitle("Bookmarks")
    case .following: following.navigationTitle("Following")
    case .blocked: blocked.navigationTitle("Blocked")
    case .reports: ReportsView(list: model.reports).navigationTitle("Your reports")
    case .filters: FiltersView(model: model.filters).navigationTitle("Comment filters")
    case .restricted: RestrictedView(model: model.restricted).navigationTitle("Restricted mode")
    case .decisions: DecisionsView(model: model.decisions).navigationTitle("Decisions")
    case .decision(let id): DecisionView(model: model.decisions, id: id).navigationTitle("Decision")
    case .contact: ContactView(model: model.contact).navigationTitle("Name and e-mail address")
    case .password:
      PasswordView(model: model.password, handle: model.me?.handle ?? "").navigationTitle("Password")
    case .waysIn: WaysInView(model: model, ways: model.waysIn).navigationTitle("Ways to sign in")
    case .twoStep:
      TwoStepView(model: model.twoStep, handle: model.me?.handle ?? "").navigationTitle("Two-step sign-in")
    case .passkeys:
      PasskeysView(model: model.passkeys, handle: model.me?.handle ?? "").navigationTitle("Passkeys")
    case .apiKeys:
      APIKeysView(model: model.apiKeys, handle: model.me?.handle ?? "").navigationTitle("API keys")
    case .webhooks: WebhooksView(model: model.webhooks).navigationTitle("Webhooks")
    case .devices: DevicesView(model: model, devices: model.devices).navigationTitle("Devices")
    case .security: SecurityView(list: model.notices).navigationTitle("Security")
    case .data: OwnDataView(model: model.data, base: base).navigationTitle("Your data")
    case .deletion:
      DeletionView(model: model, deletion: model.deletion).navigationTitle("Delete the account")
    }
  }

  private var following: some View {
    PeopleView(
      model: model.following, on: "Following", off: "Follow",
      none: "You don’t follow anyone yet. Tap Follow beside a name in the feed.",
      open: { model.openProfile(of: $0) }
    ) { name, isOn in
      isOn ? Text("Unfollow \(name)") : Text("Follow \(name)")
    }
  }

  private var blocked: some View {
    PeopleView(
      model: model.blocked, on: "Unblock", off: "Block",
      none: "You haven’t blocked anyone. Block people from the menu of their clips.",
      open: { model.openProfile(of: $0) }
    ) { name, isOn in
      isOn ? Text("Unblock \(name)") : Text("Block \(name)")
    }
  }
}
