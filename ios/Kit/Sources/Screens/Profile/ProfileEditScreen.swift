public import AppModel
public import Foundation
public import SwiftUI

/// Makes a square JPEG of a picture's file; `nil`: it is none.
public typealias PictureJPEG = @Sendable (Data) async -> Data?

/// What one shows of oneself: a picture, some lines and links, and what one likes. What is typed stays until
/// it is saved.
public struct ProfileEditScreen: View {
  private let model: ProfileEditModel
  private let jpeg: PictureJPEG
  @FocusState private var focus: ProfileEditModel.Field?

  public init(_ model: ProfileEditModel, jpeg: @escaping PictureJPEG) {
    self.model = model
    self.jpeg = jpeg
  }

  public var body: some View {
    Form {
      PictureSection(model, jpeg: jpeg)
      Section {
        FieldView(
          "About you", .lines, hint: "At most 160 characters, in at most five lines.",
          ProfileEditModel.Field.bio, of: model.form, focus: $focus)
      }
      Section {
        ForEach(ProfileEditModel.Field.links.indices, id: \.self) { place in
          FieldView(
            "Link \(place + 1)", .link, ProfileEditModel.Field.links[place], of: model.form, focus: $focus)
        }
      }
      Section {
        SubmitView("Save the profile", busy: "Saving…", model.form) { await model.save() }
      }
      Section {
        Toggle("Show others what you like", isOn: showsLikes)
      } footer: {
        Text("Everybody finds the public clips that you like on your profile.")
      }
    }
    .follows(model.form, $focus)
    .scrollDismissesKeyboard(.interactively)
    .navigationTitle("Edit profile")
    .onDisappear { model.store() }
  }

  private var showsLikes: Binding<Bool> {
    Binding(get: { model.showsLikes }, set: { isOn in Task { await model.showLikes(isOn) } })
  }
}
