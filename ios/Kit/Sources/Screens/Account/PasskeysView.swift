internal import AppModel
internal import Contract
internal import SwiftUI

/// The passkeys of an account: which there are, another one, another name, one less.
struct PasskeysView: View {
  let model: PasskeysModel
  let handle: String
  @FocusState private var addFocus: PasskeysModel.AddField?
  @FocusState private var nameFocus: PasskeysModel.NameField?
  @FocusState private var removeFocus: PasskeysModel.RemoveField?

  var body: some View {
    Form {
      if let keys = model.keys {
        there(keys)
        if let key = model.renaming { renaming(key) }
        if let key = model.leaving { removing(key) }
        another
      } else if let failure = model.failure {
        TryAgainView(failure) { await model.load() }
      } else {
        ProgressView("Loading")
      }
    }
    .follows(model.addForm, $addFocus)
    .follows(model.nameForm, $nameFocus)
    .follows(model.removeForm, $removeFocus)
    .scrollDismissesKeyboard(.interactively)
    .task { await model.load() }
    .refreshable { await model.load() }
  }

  private func there(_ keys: [Passkey]) -> some View {
    Section {
      ForEach(keys, id: \.id) { row($0) }
      if keys.isEmpty { Text("No passkeys yet.").foregroundStyle(.secondary) }
    } header: {
      Text(
        "A passkey opens your account by your finger, your face or the PIN of a device, without a password. No app and no page but this one’s can use it."
      )
    }
  }

  private func row(_ key: Passkey) -> some View {
    VStack(alignment: .leading, spacing: 4) {
      VStack(alignment: .leading) {
        Text(verbatim: key.name).font(.headline)
        Text("Since \(key.createdAt, format: day)").font(.footnote).foregroundStyle(.secondary)
        if let used = key.usedAt {
          Text("Last used \(used, format: day)").font(.footnote).foregroundStyle(.secondary)
        } else {
          Text("Not used yet").font(.footnote).foregroundStyle(.secondary)
        }
      }
      .accessibilityElement(children: .combine)
      ViewThatFits(in: .horizontal) {
        HStack { buttons(key) }
        VStack(alignment: .leading) { buttons(key) }
      }
      .buttonStyle(.borderless)
    }
  }

  @ViewBuilder private func buttons(_ key: Passkey) -> some View {
    Button("Rename") {
      model.rename(key)
      nameFocus = .name
    }
    .frame(minHeight: 44)
    .accessibilityLabel(Text("Rename \(key.name)"))
    if model.hasPassword {
      Button("Remove", role: .destructive) {
        model.remove(key)
        removeFocus = .password
      }
      .frame(minHeight: 44)
      .accessibilityLabel(Text("Remove \(key.name)"))
    }
  }

  private func renaming(_ key: Passkey) -> some View {
    Section {
      FieldView("Name", .plain, PasskeysModel.NameField.name, of: model.nameForm, focus: $nameFocus)
      SubmitView("Save the name", busy: "Saving…", model.nameForm) { await model.saveName() }
      Button("Cancel", role: .cancel) { model.keep() }.disabled(model.nameForm.isBusy)
    } header: {
      Text("Rename \(key.name)")
    }
  }

  private func removing(_ key: Passkey) -> some View {
    Section {
      OwnerField(handle: handle)
      FieldView(
        "Password", .password, PasskeysModel.RemoveField.password, of: model.removeForm, focus: $removeFocus)
      SubmitView("Remove", busy: "Removing…", role: .destructive, model.removeForm) {
        await model.removeByPassword()
      }
      Button("Cancel", role: .cancel) { model.keep() }.disabled(model.removeForm.isBusy)
    } header: {
      Text("Type your password to remove \(key.name).")
    }
  }

  @ViewBuilder private var another: some View {
    Section {
      if !model.canMake {
        Text("This device cannot make passkeys for this server.").foregroundStyle(.secondary)
      } else if !model.hasPassword {
        Text("Set a password first, under “Ways to sign in”.").foregroundStyle(.secondary)
      } else {
        OwnerField(handle: handle)
        FieldView("Password", .password, PasskeysModel.AddField.password, of: model.addForm, focus: $addFocus)
        FieldView(
          "Name", .plain, hint: "Such as “My phone”.", PasskeysModel.AddField.name, of: model.addForm,
          focus: $addFocus)
        SubmitView("Add a passkey", busy: "Adding it…", model.addForm) { await model.add() }
      }
    } header: {
      Text("Another passkey")
    }
  }
}
