internal import Foundation
internal import Platform

/// What a list names: `{"videos": ["https://…/master.m3u8", …]}`, or the list alone. An entry is an address,
/// or an object with `url` and maybe `caption`.
struct StreamList {
  struct Entry: Equatable {
    /// As it stands there: whole, or from where the list lies; nil: the entry has none.
    var url: String?
    var caption: String?
  }

  let entries: [Entry]

  /// Throws `StreamFailure`.
  init(_ text: String) throws {
    do {
      let listed = try JSONDecoder().decode(Listed.self, from: Data(text.utf8))
      entries = listed.entries
    } catch is NoList {
      throw StreamFailure(#"the list has no "videos"; it must be like {"videos": ["https://…/master.m3u8"]}"#)
    } catch {
      throw StreamFailure("it is neither an HLS playlist nor JSON")
    }
  }

  private struct NoList: Error {}

  private struct Listed: Decodable {
    let entries: [Entry]

    private enum Key: String, CodingKey { case videos }

    init(from decoder: any Decoder) throws {
      if let found = try? decoder.singleValueContainer().decode([Item].self) {
        entries = found.map(\.entry)
      } else if let found = try? decoder.container(keyedBy: Key.self).decode([Item].self, forKey: .videos) {
        entries = found.map(\.entry)
      } else {
        throw NoList()
      }
    }
  }

  /// NB: never throws: one entry that is nothing must not end the others.
  private struct Item: Decodable {
    let entry: Entry

    private enum Key: String, CodingKey { case url, caption }

    init(from decoder: any Decoder) throws {
      if let url = try? decoder.singleValueContainer().decode(String.self) {
        entry = Entry(url: url)
      } else if let object = try? decoder.container(keyedBy: Key.self) {
        entry = Entry(
          url: try? object.decode(String.self, forKey: .url),
          caption: try? object.decode(String.self, forKey: .caption))
      } else {
        entry = Entry()
      }
    }
  }
}
