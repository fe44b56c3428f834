import Foundation

/// What users of the machine may do with the files of a folder.
enum FolderPermissions {
  /// Of everything in it and of itself, what others than the owner may do anything with.
  static func open(in folder: URL) -> [String] {
    let names = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
    return (["."] + names).filter { name in
      let attributes = try? FileManager.default.attributesOfItem(
        atPath: folder.appendingPathComponent(name).path)
      return (attributes?[.posixPermissions] as? Int ?? 0) & 0o077 != 0
    }.sorted()
  }

  static func set(_ mode: Int, of url: URL) throws {
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: url.path)
  }
}
