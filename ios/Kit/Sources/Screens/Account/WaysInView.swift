internal import AppModel
internal import Contract
internal import Foundation
internal import SwiftUI

/// What opens the account, and what else could.
struct WaysInView: View {
  let model: AccountModel
  let ways: WaysInModel
  @FocusState private var connectFocus: WaysInModel.PasswordField?
  @FocusState private var disconnectFocus: WaysInModel.PasswordField?
  @FocusState private var setFocus: WaysInModel.NewPasswordField?

  var body: some View {
    Form {
      if let known = ways.ways {
        connected(known)
        if let identity = ways.leaving { disconnecting(identity) }
        if let provider = ways.waiting { waiting(provider) }
        if !ways.confirming.isEmpty { confirming }
        if !ways.free.isEmpty { free }
        if !ways.hasPassword, ways.hasProof { proven }
      } else if let failure = ways.failure {
        TryAgainView(failure) { await ways.load(model.me?.id) }
      } else {
        ProgressView("Loading")
      }
    }
    .follows(ways.connectForm, $connectFocus)
    .follows(ways.disconnectForm, $disconnectFocus)
    .follows(ways.setForm, $setFocus)
    .disabled(ways.visited != nil)
    .task { await ways.load(model.me?.id) }
  }

  private func connected(_ known: WaysIn) -> some View {
    Section {
      if known.items.isEmpty {
        Text("You sign in to this account with its handle and password only.")
      }
      ForEach(known.items, id: \.id) { identity in
        ActionRow {
          VStack(alignment: .leading) {
            Text(verbatim: identity.name).font(.headline)
            if let email = identity.email { Text(verbatim: email).font(.subheadline) }
            Text("Connected on \(identity.connectedAt, format: day)").font(.footnote)
              .foregroundStyle(.secondary)
            if identity.provider == nil {
              Text("Not in use here any more").font(.footnote).foregroundStyle(.secondary)
            }
          }
          .accessibilityElement(children: .combine)
        } action: {
          Button("Disconnect") { Task { await ways.disconnect(identity) } }
            .buttonStyle(.borderless)
            .accessibilityLabel(Text("Disconnect \(identity.name)"))
        }
      }
    } header: {
      Text("Connected")
    }
  }

  private func disconnecting(_ identity: ConnectedIdentity) -> some View {
    Section {
      FieldView(
        "Password", .password, WaysInModel.PasswordField.password, of: ways.disconnectForm,
        focus: $disconnectFocus)
      SubmitView("Disconnect", busy: "Disconnecting…", role: .destructive, ways.disconnectForm) {
        await ways.disconnectByPassword()
      }
      Button("Cancel", role: .cancel) { ways.keepConnected() }
    } header: {
      Text("Type your password to disconnect \(identity.name).")
    }
  }

  /// What was brought along, and what makes it count: the password, or the proof that it is still them.
  private func waiting(_ provider: String) -> some View {
    Section {
      if ways.hasPassword {
        FieldView(
          "Password", .password, WaysInModel.PasswordField.password, of: ways.connectForm,
          focus: $connectFocus)
      }
      if ways.hasPassword || ways.hasProof {
        SubmitView("Connect \(provider)", busy: "Connecting…", ways.connectForm) {
          await ways.connectWaiting()
        }
      }
    } header: {
      if ways.hasPassword {
        Text("Type your password to connect \(provider).")
      } else if ways.hasProof {
        Text("It is you. Connect \(provider)?")
      } else {
        Text("\(provider) waits to be connected.")
      }
    }
  }

  private var confirming: some View {
    Section {
      ForEach(ways.confirming, id: \.id) { provider in
        ProviderButton(
          provider, "Confirm with \(provider.name)", isBusy: ways.visited?.id == provider.id
        ) { await ways.confirm(provider) }
      }
    } header: {
      Text("This account has no password. Confirm that it’s you before you change how you sign in.")
    }
  }

  private var free: some View {
    Section {
      ForEach(ways.free, id: \.id) { provider in
        ProviderButton(provider, "Connect \(provider.name)", isBusy: ways.visited?.id == provider.id) {
          await ways.connect(provider)
        }
      }
    }
  }

  /// What others do with their password.
  private var proven: some View {
    Section {
      FieldView(
        "New password", .newPassword, hint: passwordHint, WaysInModel.NewPasswordField.new,
        of: ways.setForm, focus: $setFocus)
      SubmitView("Set a password", busy: "Setting it…", ways.setForm) { await ways.setPassword() }
      NavigationLink("Delete the account", value: AccountModel.Place.deletion)
    } header: {
      Text("Password")
    }
  }
}
