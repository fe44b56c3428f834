internal import AppModel
internal import Contract
internal import Foundation
internal import SwiftUI

/// Keys by which programs act for an account: which there are, another one, one less.
struct APIKeysView: View {
  let model: APIKeysModel
  let handle: String
  @FocusState private var focus: APIKeysModel.Field?
  @State private var toRevoke: APIKey?

  var body: some View {
    Form {
      if let made = model.made {
        shown(made)
      } else if let keys = model.keys {
        there(keys)
        another
      } else if let failure = model.failure {
        TryAgainView(failure) { await model.load() }
      } else {
        ProgressView("Loading")
      }
    }
    .follows(model.form, $focus)
    .scrollDismissesKeyboard(.interactively)
    .task { await model.load() }
    .refreshable { await model.load() }
    .confirmationDialog(
      "Revoke this key?",
      isPresented: Binding(get: { toRevoke != nil }, set: { if !$0 { toRevoke = nil } }),
      titleVisibility: .visible, presenting: toRevoke
    ) { key in
      Button("Revoke", role: .destructive) { Task { await model.revoke(key) } }
      Button("Cancel", role: .cancel) {}
    } message: { _ in
      Text("Programs that use it stop working at once. It can’t be had back.")
    }
  }

  private func there(_ keys: [APIKey]) -> some View {
    Section {
      ForEach(keys) { row($0) }
      if keys.isEmpty { Text("No keys yet.").foregroundStyle(.secondary) }
    } header: {
      Text(
        "With a key a program has videos made from words in your name, for your credits. A key opens nothing else of your account."
      )
    }
  }

  private func row(_ key: APIKey) -> some View {
    ActionRow {
      VStack(alignment: .leading) {
        Text(verbatim: key.name).font(.headline)
        ForEach(key.scopes, id: \.self) { scope in
          Text(verbatim: scope.sentence.words).font(.footnote).foregroundStyle(.secondary)
        }
        Text("Since \(key.createdAt, format: day)").font(.footnote).foregroundStyle(.secondary)
        if let used = key.usedAt {
          Text("Last used \(used, format: day)").font(.footnote).foregroundStyle(.secondary)
        } else {
          Text("Not used yet").font(.footnote).foregroundStyle(.secondary)
        }
        if let expiry = key.expiresAt { end(expiry).font(.footnote).foregroundStyle(.secondary) }
      }
      .accessibilityElement(children: .combine)
    } action: {
      Button("Revoke", role: .destructive) { toRevoke = key }
        .buttonStyle(.borderless)
        .disabled(model.isRevoking)
        .accessibilityLabel(Text("Revoke \(key.name)"))
    }
  }

  private func end(_ expiry: Date) -> Text {
    expiry < Date() ? Text("Expired on \(expiry, format: day)") : Text("Until \(expiry, format: day)")
  }

  @ViewBuilder private var another: some View {
    Section {
      if !model.canMake {
        Text("Set a password first, under “Ways to sign in”.").foregroundStyle(.secondary)
      } else {
        FieldView(
          "Name", .plain, hint: "Such as “Editing script”.", APIKeysModel.Field.name, of: model.form,
          focus: $focus)
        ForEach(APIKeyScope.allCases, id: \.self) { scope in
          Toggle(isOn: holds(scope)) { Text(verbatim: scope.sentence.words) }
        }
        Picker("It counts", selection: Binding(get: { model.lifetime }, set: { model.lifetime = $0 })) {
          ForEach(APIKeysModel.Lifetime.allCases, id: \.self) { lifetime in
            Text(verbatim: lifetime.title.words).tag(lifetime)
          }
        }
        owner
        SubmitView("Make a key", busy: "Making it…", model.form) { await model.make() }
      }
    } header: {
      Text("Another key")
    }
  }

  /// What shows that it is them.
  @ViewBuilder private var owner: some View {
    if model.hasPassword {
      OwnerField(handle: handle)
      FieldView("Password", .password, APIKeysModel.Field.password, of: model.form, focus: $focus)
    } else {
      FieldView("Code", .code, APIKeysModel.Field.code, of: model.form, focus: $focus)
    }
  }

  private func holds(_ scope: APIKeyScope) -> Binding<Bool> {
    Binding(get: { model.scopes.contains(scope) }, set: { model.choose(scope, isOn: $0) })
  }

  private func shown(_ made: MadeAPIKey) -> some View {
    Section {
      SecretRow(Text(verbatim: made.key.name), made.secret, label: "Copy the key") { model.noteCopied() }
      Button("I have kept it") { model.kept() }.bold().frame(minHeight: 44)
    } header: {
      Text("Give this key to your program now: it isn’t shown again. Whoever has it can use it.")
    }
  }
}
