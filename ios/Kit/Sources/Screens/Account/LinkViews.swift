internal import AppModel
internal import SwiftUI

/// Asks for a link to set a new password.
struct ForgotView: View {
  let entry: EntryModel
  @FocusState private var focus: EntryModel.ForgotField?

  var body: some View {
    Form {
      if entry.isLinkSent {
        Section {
          Text(
            "If this account has a confirmed e-mail address, a link is on its way there. It works for an hour."
          )
        } footer: {
          Text("No address? Whoever runs this site can make you a link.")
        }
      } else {
        Section {
          FieldView(
            "Handle or e-mail address", .anyName, EntryModel.ForgotField.handle, of: entry.forgotForm,
            focus: $focus)
          SubmitView("Send a link", busy: "Sending…", entry.forgotForm) { await entry.askForLink() }
        } header: {
          Text("We’ll send a link for a new password to the account’s e-mail address.")
        }
      }
    }
    .onSubmit { Task { await entry.askForLink() } }
    .follows(entry.forgotForm, $focus)
    .onDisappear { entry.isLinkSent = false }
  }
}

/// Sets a new password by such a link.
struct ResetView: View {
  let model: AccountModel
  let entry: EntryModel
  let token: String
  @FocusState private var focus: EntryModel.ResetField?

  var body: some View {
    Form {
      Section {
        FieldView(
          "New password", .newPassword, hint: passwordHint, EntryModel.ResetField.password,
          of: entry.resetForm, focus: $focus)
        SubmitView("Set the password", busy: "Setting it…", entry.resetForm) {
          await entry.resetPassword(token)
        }
      } header: {
        Text("You’ll have to sign in again on every device.")
      }
      Section {
        NavigationLink("Ask for a new link", value: AccountModel.Place.forgot)
      }
    }
    .onSubmit { Task { await entry.resetPassword(token) } }
    .follows(entry.resetForm, $focus)
  }
}

/// Confirms an e-mail address by a link.
struct ConfirmView: View {
  let entry: EntryModel
  let token: String

  var body: some View {
    Form {
      Section {
        SubmitView("This is my address", busy: "Confirming…", entry.confirmForm) {
          await entry.confirmEmail(token)
        }
      } header: {
        Text("Once it’s confirmed, you can reset a forgotten password by e-mail.")
      }
    }
  }
}
