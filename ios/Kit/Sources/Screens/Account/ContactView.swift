internal import AppModel
internal import Contract
internal import SwiftUI
internal import UIKit

struct ContactView: View {
  let model: ContactModel
  @FocusState private var nameFocus: ContactModel.NameField?
  @FocusState private var emailFocus: ContactModel.EmailField?

  var body: some View {
    Form {
      if let account = model.account {
        Section {
          FieldView("Name", .name, ContactModel.NameField.name, of: model.nameForm, focus: $nameFocus)
          SubmitView("Save the name", busy: "Saving…", model.nameForm) { await model.saveName() }
        }
        Section {
          Text(verbatim: model.addressState.words)
          if account.hasPassword {
            FieldView(
              "E-mail address", .email, hint: "Leave it empty to have none.", ContactModel.EmailField.email,
              of: model.emailForm, focus: $emailFocus)
            FieldView(
              "Password", .password, ContactModel.EmailField.password, of: model.emailForm,
              focus: $emailFocus)
            SubmitView("Save the address", busy: "Saving…", model.emailForm) { await model.saveEmail() }
          } else {
            Text("To change it, set a password first, under “Ways to sign in”.")
          }
        } header: {
          Text("E-mail address")
        }
      } else if let failure = model.failure {
        TryAgainView(failure) { await model.load() }
      } else {
        ProgressView("Loading")
      }
    }
    .follows(model.nameForm, $nameFocus)
    .follows(model.emailForm, $emailFocus)
    .scrollDismissesKeyboard(.interactively)
    .task { await model.load() }
  }
}

struct PasswordView: View {
  let model: PasswordModel
  let handle: String
  @FocusState private var focus: PasswordModel.Field?

  var body: some View {
    Form {
      Section {
        OwnerField(handle: handle)
        FieldView(
          "Current password", .password, PasswordModel.Field.current, of: model.form, focus: $focus)
        FieldView(
          "New password", .newPassword, hint: passwordHint, PasswordModel.Field.new, of: model.form,
          focus: $focus)
        SubmitView("Change the password", busy: "Changing it…", model.form) { await model.change() }
      } header: {
        Text("This signs you out on all other devices.")
      }
    }
    .onSubmit { Task { await model.change() } }
    .follows(model.form, $focus)
  }
}

/// Password managers are to know whose password it is.
struct OwnerField: View {
  let handle: String

  var body: some View {
    TextField("Handle", text: .constant(handle)).textContentType(.username).disabled(true)
  }
}

struct DeletionView: View {
  let model: AccountModel
  let deletion: DeletionModel
  @FocusState private var focus: DeletionModel.Field?

  var body: some View {
    Form {
      if let me = model.me {
        Section {
          OwnerField(handle: me.handle)
          FieldView(
            "Type \(me.handle) to go on", .plain, DeletionModel.Field.typed, of: deletion.form, focus: $focus)
          if !model.waysIn.hasProof {
            FieldView("Password", .password, DeletionModel.Field.password, of: deletion.form, focus: $focus)
          }
          SubmitView("Delete everything", busy: "Deleting…", role: .destructive, deletion.form) {
            await deletion.delete(me)
          }
        } header: {
          Text(
            "Your clips, comments, likes, bookmarks and follows are deleted with it, for everyone and at once. This can’t be undone."
          )
        }
      }
    }
    .follows(deletion.form, $focus)
  }
}

/// What could not be loaded.
struct TryAgainView: View {
  private let failure: Sentence
  private let again: @MainActor () async -> Void

  init(_ failure: Sentence, again: @escaping @MainActor () async -> Void) {
    self.failure = failure
    self.again = again
  }

  var body: some View {
    VStack(alignment: .leading) {
      Text(verbatim: failure.words)
      Button("Try again") { Task { await again() } }.buttonStyle(.borderless).frame(minHeight: 44)
    }
  }
}
