internal import AppModel
internal import Contract
internal import SwiftUI

/// For a guest: signing in, and what can be had without an account.
struct SignInView: View {
  let model: AccountModel
  let entry: EntryModel
  @FocusState private var focus: EntryModel.SignInField?

  var body: some View {
    Form {
      Section {
        FieldView(
          "Handle or e-mail address", .anyName, EntryModel.SignInField.handle, of: entry.signInForm,
          focus: $focus)
        FieldView(
          "Password", .password, EntryModel.SignInField.password, of: entry.signInForm, focus: $focus)
        SubmitView("Sign in", busy: "Signing in…", entry.signInForm) { await entry.signIn() }
      } header: {
        Text(
          "You can watch, like and follow without an account. With one, everything is there on all your devices."
        )
      }
      .onSubmit { Task { await entry.signIn() } }
      if !entry.providers.isEmpty || entry.hasKeys { others }
      Section {
        NavigationLink("Create an account", value: AccountModel.Place.join)
        NavigationLink("Forgot the password?", value: AccountModel.Place.forgot)
      }
      MarkedRows(model: model, title: "Without an account")
    }
    .follows(entry.signInForm, $focus)
    .task { await entry.loadProviders() }
  }

  private var others: some View {
    Section {
      if entry.hasKeys { KeyButton("Sign in with a passkey", entry) { await entry.signInByKey() } }
      ForEach(entry.providers, id: \.id) { provider in
        ProviderButton(provider, "Sign in with \(provider.name)", isBusy: entry.visited?.id == provider.id) {
          await entry.visit(provider)
        }
        .disabled(entry.visited != nil)
      }
    } footer: {
      if let failure = entry.keyFailure ?? entry.visitFailure {
        Text(verbatim: failure.words).foregroundStyle(.red)
      }
    }
  }
}

/// Asks for a passkey by the system's sheet.
struct KeyButton: View {
  private let title: LocalizedStringKey
  private let entry: EntryModel
  private let ask: @MainActor () async -> Void

  init(_ title: LocalizedStringKey, _ entry: EntryModel, ask: @escaping @MainActor () async -> Void) {
    self.title = title
    self.entry = entry
    self.ask = ask
  }

  var body: some View {
    Button {
      Task { await ask() }
    } label: {
      HStack {
        Image(systemName: "person.badge.key").accessibilityHidden(true)
        Text(title)
        if entry.isAtKey { ProgressView() }
      }
      .frame(maxWidth: .infinity, minHeight: 44)
    }
    .disabled(entry.isAtKey)
  }
}

/// Goes to a provider.
struct ProviderButton: View {
  private let provider: SignInProvider
  private let title: LocalizedStringKey
  private let isBusy: Bool
  private let visit: @MainActor () async -> Void

  init(
    _ provider: SignInProvider, _ title: LocalizedStringKey, isBusy: Bool,
    visit: @escaping @MainActor () async -> Void
  ) {
    self.provider = provider
    self.title = title
    self.isBusy = isBusy
    self.visit = visit
  }

  var body: some View {
    Button {
      Task { await visit() }
    } label: {
      HStack {
        if provider.kind == .apple { Image(systemName: "apple.logo") }
        Text(title)
        if isBusy { ProgressView() }
      }
      .frame(maxWidth: .infinity, minHeight: 44)
    }
  }
}

/// What somebody has marked or made, with an account or without.
struct MarkedRows: View {
  let model: AccountModel
  var title: LocalizedStringKey?

  var body: some View {
    Section {
      NavigationLink("Your clips", value: AccountModel.Place.clips)
      NavigationLink("Likes", value: AccountModel.Place.likes)
      NavigationLink("Bookmarks", value: AccountModel.Place.bookmarks)
      NavigationLink("Following", value: AccountModel.Place.following)
      NavigationLink("Blocked", value: AccountModel.Place.blocked)
      NavigationLink("Your reports", value: AccountModel.Place.reports)
      NavigationLink(value: AccountModel.Place.restricted) { TwoLines("Restricted mode", "Clips for adults") }
      Button("Settings", systemImage: "gearshape") { model.openSettings() }
    } header: {
      if let title { Text(title) }
    }
  }
}
