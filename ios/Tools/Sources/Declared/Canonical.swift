// Types in one form: what Rust and Swift write for the same thing of Objective-C reads the same afterwards. A
// class is its Objective-C name, "?" is nullable, "block" any closure, "~" behind a type: nobody says whether
// it is nullable.
import Foundation

public enum Canonical {
  static let bridged: [String: String] = [
    "NSString": "String", "NSURL": "URL", "NSData": "Data", "NSDate": "Date", "NSError": "Error",
    "NSInteger": "Int", "NSUInteger": "Int", "isize": "Int", "usize": "Int", "UInt": "Int",
    "c_float": "Float", "f32": "Float", "c_double": "Double", "f64": "Double", "c_longlong": "Int64",
    "i64": "Int64", "i32": "Int32", "u32": "UInt32", "c_int": "Int32", "c_uint": "UInt32",
    "NSTimeInterval": "Double", "TimeInterval": "Double", "CFTimeInterval": "Double", "Float64": "Double",
    "bool": "Bool", "AnyObject": "Any", "Sel": "Selector", "NSNotificationName": "Name",
    "NSNotification.Name": "Name", "Notification.Name": "Name", "NSIndexPath": "IndexPath",
    "NSURLRequest": "URLRequest", "Void": "void", "()": "void", "Swift.Void": "void",
    "DispatchQueue": "DispatchQueue", "NSBundle": "Bundle", "NSNumber": "NSNumber", "NSCoder": "NSCoder",
    "NSRange": "NSRange", "AnyClass": "AnyClass", "UILayoutPriority": "UILayoutPriority",
  ]

  /// A type as objc2's Rust writes it.
  public static func rust(_ text: some StringProtocol) -> String {
    var type = text.trimmingCharacters(in: .whitespacesAndNewlines)
    if type.isEmpty { return "void" }
    for prefix in ["&'static ", "&mut ", "&"] where type.hasPrefix(prefix) {
      return rust(type.dropFirst(prefix.count))
    }
    if let inner = inside(type, "Option") {
      let plain = rust(inner)
      return plain.hasSuffix("?") ? plain : plain + "?"
    }
    if let inner = inside(type, "Result") { return "throws " + rust(split(inner).first ?? "") }
    if let inner = inside(type, "Retained") ?? inside(type, "ProtocolObject") { return rust(inner) }
    if type.hasPrefix("block2::SendableBlock") { return "@Sendable block" }
    if type.hasPrefix("block2::Block") || type.hasPrefix("block2::DynBlock") { return "block" }
    if type.hasPrefix("*mut block2") { return "block~" }
    if type.hasPrefix("*mut ") || type.hasPrefix("*const ") {
      return "UnsafePointer"
    }
    if type.hasPrefix("NonNull<") { return "UnsafePointer" }
    if type.hasPrefix("dyn ") { return rust(type.dropFirst(4).split(separator: " ")[0]) }
    if let inner = inside(type, "NSArray") { return "[" + rust(inner) + "]" }
    if let inner = inside(type, "NSSet") { return "Set<" + rust(inner) + ">" }
    if type.hasPrefix("NSDictionary") { return "Dictionary" }
    if type == "NSArray" { return "[Any]" }
    if let angle = type.firstIndex(of: "<") { type = String(type[..<angle]) }
    return bridged[type] ?? type
  }

  /// A type as a `.swiftinterface` writes it. `names` has the Objective-C name of each Swift type that has
  /// another one.
  public static func swift(_ text: some StringProtocol, names: [String: String]) -> String {
    var type = text.trimmingCharacters(in: .whitespaces)
    if let cut = type.range(of: " = ") { type = String(type[..<cut.lowerBound]) }
    if type.isEmpty { return "void" }
    for prefix in ["@escaping ", "any ", "inout ", "sending ", "@_Concurrency.MainActor ", "@autoclosure "]
    where type.hasPrefix(prefix) { return swift(type.dropFirst(prefix.count), names: names) }
    if type.hasPrefix("@Sendable ") { return "@Sendable " + swift(type.dropFirst(10), names: names) }
    if type.hasSuffix("!") { return swift(type.dropLast(), names: names) + "~" }
    if type.hasSuffix("?") { return swift(type.dropLast(), names: names) + "?" }
    if type.contains("->"), type.hasPrefix("(") {
      // "((Bool) -> Void)" is a closure in parentheses, "(Bool) -> Void" a closure.
      if type.hasSuffix(")"), closes(type) { return swift(type.dropFirst().dropLast(), names: names) }
      return "block"
    }
    if type.hasPrefix("("), type.hasSuffix(")"), type != "()" {
      return swift(type.dropFirst().dropLast(), names: names)
    }
    if type.hasPrefix("["), type.hasSuffix("]") {
      let inner = type.dropFirst().dropLast()
      if inner.contains(" : ") || inner.contains(": ") { return "Dictionary" }
      return "[" + swift(inner, names: names) + "]"
    }
    if let inner = inside(type, "Swift.Set") { return "Set<" + swift(inner, names: names) + ">" }
    if type.hasPrefix("Swift.Unsafe") { return "UnsafePointer" }
    for module in [
      "Swift", "Foundation", "Dispatch", "CoreMedia", "CoreGraphics", "QuartzCore", "ObjectiveC", "UIKit",
      "AVFoundation", "_Concurrency",
    ] where type.hasPrefix(module + ".") {
      type = String(type.dropFirst(module.count + 1))
    }
    if let angle = type.firstIndex(of: "<") { type = String(type[..<angle]) }
    if let name = names[type] { type = name }
    return bridged[type] ?? type
  }

  /// Whether both stand for one type, as far as both say.
  public static func same(_ known: String, _ declared: String) -> Bool {
    if known == declared { return true }
    if known.hasSuffix("~") || declared.hasSuffix("~") {
      func bare(_ type: String) -> String {
        type.trimmingCharacters(in: CharacterSet(charactersIn: "?~")).replacingOccurrences(
          of: "@Sendable ", with: "")
      }
      return bare(known) == bare(declared)
    }
    return false
  }

  static func inside(_ type: String, _ name: String) -> String? {
    guard type.hasPrefix(name + "<"), type.hasSuffix(">") else { return nil }
    return String(type.dropFirst(name.count + 1).dropLast())
  }

  /// Whether the first parenthesis is closed by the last.
  static func closes(_ type: String) -> Bool {
    var depth = 0
    for (index, character) in zip(type.indices, type) {
      if character == "(" { depth += 1 }
      if character == ")" { depth -= 1 }
      if depth == 0 { return type.index(after: index) == type.endIndex }
    }
    return false
  }

  /// Parts that are apart by commas outside any bracket.
  public static func split(_ text: some StringProtocol) -> [String] {
    var parts: [String] = []
    var part = ""
    var depth = 0
    var before: Character = " "
    for character in text {
      if "<([{".contains(character) { depth += 1 }
      if ")]}".contains(character) || (character == ">" && before != "-") { depth -= 1 }
      before = character
      if character == ",", depth == 0 {
        parts.append(part.trimmingCharacters(in: .whitespacesAndNewlines))
        part = ""
      } else {
        part.append(character)
      }
    }
    part = part.trimmingCharacters(in: .whitespacesAndNewlines)
    if !part.isEmpty { parts.append(part) }
    return parts
  }
}
