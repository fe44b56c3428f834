public import AppModel
internal import Contract
public import SwiftUI

/// Who follows somebody, or whom they follow, with a field to look for one of them.
public struct ProfilePeopleScreen: View {
  @Bindable private var model: ProfilePeopleModel

  public init(_ model: ProfilePeopleModel) { self.model = model }

  public var body: some View {
    List {
      ForEach(model.people.list.items, id: \.author.id) { person in
        FoundPersonRow(person, of: model.people, canFollow: model.canFollow(person)) { model.open(person) }
      }
      ListEnd(list: model.people.list, none: LocalizedStringKey(model.none.key))
    }
    .searchable(text: $model.text, prompt: "Find somebody")
    .textInputAutocapitalization(.never)
    .autocorrectionDisabled()
    .task { await model.people.list.begin() }
    .refreshable { await model.people.list.reload() }
    .navigationTitle(Text(verbatim: model.title.words))
  }
}
