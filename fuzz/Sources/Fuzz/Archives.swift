internal import Foundation

@testable internal import Exports

/// An archive that somebody brings. Each block has the right sum where a header has it, which no chance
/// would find; so what lies behind headers is reached.
func readArchive(_ bytes: [UInt8]) {
  var archive = bytes
  for start in stride(from: 0, through: archive.count - TarHeader.length, by: TarHeader.length)
  where archive[(start + 257)..<(start + 262)].elementsEqual("ustar".utf8) {
    sum(&archive, from: start)
    let block = Array(archive[start..<(start + TarHeader.length)])
    guard let header = try? TarHeader.read(block), header.kind == .file else { continue }
    require((try? TarHeader.read(header.bytes(seconds: 0))) == header, "\(header)")
  }
  let url = FileManager.default.temporaryDirectory.appendingPathComponent(
    "fuzz-\(ProcessInfo.processInfo.processIdentifier).tar")
  guard (try? Data(archive).write(to: url)) != nil else { return }
  defer { try? FileManager.default.removeItem(at: url) }
  guard let reader = try? ArchiveReader(url) else { return }
  for file in reader.manifest.files { require((try? ArchiveReader.checked(file.path)) != nil, file.path) }
}

private func sum(_ archive: inout [UInt8], from start: Int) {
  for place in 148..<156 { archive[start + place] = UInt8(ascii: " ") }
  let sum = archive[start..<(start + TarHeader.length)].reduce(0) { $0 + Int($1) }
  let digits = String(sum, radix: 8)
  let text = String(repeating: "0", count: max(0, 6 - digits.utf8.count)) + digits + "\0 "
  for (place, byte) in text.utf8.enumerated() { archive[start + 148 + place] = byte }
}
