// Writes the list of what a build is made of, as CycloneDX 1.6 (https://cyclonedx.org/docs/1.6/json/).
// Arguments: the package manager's state (workspace-state.json), its tree of dependencies (show-dependencies --format json),
// a table of system packages (role, name, version, architecture, distribution, with tabs between), version of our own.
import Foundation

struct Malformed: Error, CustomStringConvertible { let description: String }

struct Component: Encodable {
  struct Property: Encodable {
    var name: String
    var value: String
  }
  struct Reference: Encodable {
    var type: String
    var url: String
  }

  var type: String
  var bomRef: String
  var name: String
  var version: String
  var purl: String?
  var externalReferences: [Reference]?
  var properties: [Property]?

  enum CodingKeys: String, CodingKey {
    case type, name, version, purl, externalReferences, properties
    case bomRef = "bom-ref"
  }
}

struct Document: Encodable {
  struct Metadata: Encodable {
    struct Tools: Encodable { var components: [Component] }
    var timestamp: String
    var tools: Tools
    var component: Component
  }
  struct Dependency: Encodable {
    var ref: String
    var dependsOn: [String]
  }

  var bomFormat = "CycloneDX"
  var specVersion = "1.6"
  var serialNumber = "urn:uuid:\(UUID().uuidString.lowercased())"
  var version = 1
  var metadata: Metadata
  var components: [Component]
  var dependencies: [Dependency]
}

/// What the package manager has checked out.
struct WorkspaceState: Decodable {
  struct Object: Decodable { var dependencies: [Dependency] }
  struct Dependency: Decodable {
    struct Reference: Decodable {
      var identity: String
      var kind: String
      var location: String
    }
    struct State: Decodable {
      struct Checkout: Decodable {
        var revision: String
        var version: String?
      }
      var checkoutState: Checkout?
    }
    var packageRef: Reference
    var state: State
  }
  var object: Object
}

struct Tree: Decodable {
  var identity: String
  var dependencies: [Tree]
}

func swiftPackages(_ path: String) throws -> [String: Component] {
  let data = try Data(contentsOf: URL(fileURLWithPath: path))
  let all = try JSONDecoder().decode(WorkspaceState.self, from: data).object.dependencies
  var found: [String: Component] = [:]
  for package in all where package.packageRef.kind == "remoteSourceControl" {
    let reference = package.packageRef
    guard let checkout = package.state.checkoutState, let version = checkout.version else {
      throw Malformed(
        description: "\(reference.identity) is of no version: a release is built of versions alone")
    }
    let place = reference.location.replacing("https://", with: "").replacing(/\.git$/, with: "")
    let purl = "pkg:swift/\(place)@\(version)"
    found[reference.identity] = Component(
      type: "library", bomRef: purl, name: place.split(separator: "/").last.map(String.init) ?? place,
      version: version, purl: purl, externalReferences: [.init(type: "vcs", url: reference.location)],
      properties: [
        .init(name: "clipfeed:role", value: "built"),
        .init(name: "clipfeed:revision", value: checkout.revision),
      ])
  }
  return found
}

func systemPackages(_ path: String) throws -> [Component] {
  try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").map { line in
    let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
    guard fields.count == 5 else { throw Malformed(description: "no package: \(line)") }
    let (role, name, version, architecture, distribution) = (
      fields[0], fields[1], fields[2], fields[3], fields[4]
    )
    var allowed = CharacterSet.alphanumerics
    allowed.insert(charactersIn: "-._~:")
    let encoded = version.addingPercentEncoding(withAllowedCharacters: allowed) ?? version
    let purl =
      role == "toolchain"
      ? "pkg:generic/\(name)@\(encoded)"
      : "pkg:deb/\(distribution.split(separator: "-")[0])/\(name.replacing("+", with: "%2B"))@\(encoded)?arch=\(architecture)&distro=\(distribution)"
    return Component(
      type: name == "ffmpeg" ? "application" : "library", bomRef: purl, name: name, version: version,
      purl: purl,
      properties: [.init(name: "clipfeed:role", value: role)])
  }
}

let arguments = CommandLine.arguments
guard arguments.count == 5 else { throw Malformed(description: "four arguments are needed") }
let packages = try swiftPackages(arguments[1])
let tree = try JSONDecoder().decode(Tree.self, from: Data(contentsOf: URL(fileURLWithPath: arguments[2])))
let system = try systemPackages(arguments[3])
let own = Component(type: "application", bomRef: "clipfeed", name: "clipfeed", version: arguments[4])

/// Packages of our own are parts of the program: what they need it needs.
func needed(by node: Tree) -> Set<String> {
  node.dependencies.reduce(into: []) { all, next in
    if let package = packages[next.identity] {
      all.insert(package.bomRef)
    } else {
      all.formUnion(needed(by: next))
    }
  }
}

func edges(from node: Tree) -> [String: Set<String>] {
  var own: [String: Set<String>] = [:]
  if let package = packages[node.identity] { own[package.bomRef] = needed(by: node) }
  return node.dependencies.reduce(into: own) { all, next in all.merge(edges(from: next)) { $0.union($1) } }
}
let graph = edges(from: tree).merging([own.bomRef: needed(by: tree).union(system.map(\.bomRef))]) { $1 }
// What the package manager holds ready and nothing here is built from is no part of it.
let reached = Set(graph.values.flatMap(\.self))
let components = (packages.values.filter { reached.contains($0.bomRef) } + system).sorted {
  $0.bomRef < $1.bomRef
}
let seconds = ProcessInfo.processInfo.environment["SOURCE_DATE_EPOCH"].flatMap(Double.init)
let document = Document(
  metadata: .init(
    timestamp: ISO8601DateFormatter().string(from: seconds.map { Date(timeIntervalSince1970: $0) } ?? Date()),
    tools: .init(components: [
      Component(type: "application", bomRef: "sbom", name: "clipfeed make sbom", version: "1")
    ]),
    component: own),
  components: components,
  dependencies: graph.sorted { $0.key < $1.key }.map { .init(ref: $0.key, dependsOn: $0.value.sorted()) })
let encoder = JSONEncoder()
encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
FileHandle.standardOutput.write(try encoder.encode(document) + Data("\n".utf8))
