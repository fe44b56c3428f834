internal import AppModel
internal import Contract
internal import SwiftUI

/// A new account, with a password.
struct JoinView: View {
  let entry: EntryModel
  @FocusState private var focus: EntryModel.JoinField?

  var body: some View {
    Form {
      Section {
        FieldView("Handle", .handle, hint: handleHint, EntryModel.JoinField.handle, of: form, focus: $focus)
        FieldView(
          "Name", .name, hint: "Shown beside your clips.", EntryModel.JoinField.name, of: form, focus: $focus)
        FieldView(
          "E-mail address", .email, hint: "Only for when you forget your password. Nobody else sees it.",
          EntryModel.JoinField.email, of: form, focus: $focus)
        FieldView(
          "Password", .newPassword, hint: passwordHint, EntryModel.JoinField.password, of: form,
          focus: $focus)
        SubmitView("Create the account", busy: "Creating it…", form) { await entry.join() }
      } header: {
        Text("Everything you liked, saved and followed as a guest comes with you.")
      }
    }
    .onSubmit { Task { await entry.join() } }
    .follows(form, $focus)
    .scrollDismissesKeyboard(.interactively)
  }

  private var form: FormState<EntryModel.JoinField> { entry.joinForm }
}

var handleHint: LocalizedStringKey {
  "Letters a to z, digits, full stops and underscores. Everyone sees it, and you can’t change it later."
}
var passwordHint: LocalizedStringKey { "At least 8 characters. Several words are better than one." }

/// A new account for somebody whom a provider knows.
struct NewcomerView: View {
  let entry: EntryModel
  @FocusState private var focus: EntryModel.NewcomerField?

  var body: some View {
    Form {
      if let newcomer = entry.newcomer {
        Section {
          Text(
            "You are here for the first time with \(newcomer.provider). Everything you liked, saved and followed as a guest comes with you."
          )
          if newcomer.person.known {
            Text(
              "There is an account with the address \(newcomer.person.email ?? ""). If it is yours, sign in to it and connect \(newcomer.provider)."
            )
          }
          Button("I have an account already") { entry.useOwnAccount() }
        }
        fields
      }
    }
    .onSubmit { Task { await entry.joinAsNewcomer() } }
    .follows(form, $focus)
    .scrollDismissesKeyboard(.interactively)
  }

  private var form: FormState<EntryModel.NewcomerField> { entry.newcomerForm }

  private var fields: some View {
    Section {
      FieldView("Handle", .handle, hint: handleHint, EntryModel.NewcomerField.handle, of: form, focus: $focus)
      FieldView(
        "Name", .name, hint: "Shown beside your clips.", EntryModel.NewcomerField.name, of: form,
        focus: $focus)
      FieldView(
        "E-mail address", .email, hint: "Nobody sees it.", EntryModel.NewcomerField.email, of: form,
        focus: $focus)
      SubmitView("Create the account", busy: "Creating it…", form) { await entry.joinAsNewcomer() }
    }
  }
}
