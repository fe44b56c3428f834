internal import Platform

/// The three ways in which S3 writes a time, to and from milliseconds since 1970. Pure, and without a
/// formatter that would have to be shared between threads.
enum Timestamps {
  private static let dayMs: Int64 = 86_400_000
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  /// `20130524T000000Z`, what is signed.
  static func basic(_ ms: Int64) -> String {
    let days = ms >= 0 ? ms / dayMs : (ms - dayMs + 1) / dayMs
    let seconds = Int((ms - days * dayMs) / 1000)
    let (year, month, day) = date(days)
    return padded(year, 4) + padded(month, 2) + padded(day, 2) + "T" + padded(seconds / 3600, 2)
      + padded(seconds / 60 % 60, 2) + padded(seconds % 60, 2) + "Z"
  }

  /// `2009-10-12T17:50:30.000Z`, in listings.
  static func iso(_ text: String) -> Int64? {
    let numbers = text.split(whereSeparator: { "-T:.Z".contains($0) }).map {
      SafeInteger.read($0).map(Int64.init)
    }
    guard text.hasSuffix("Z"), numbers.count >= 6, numbers.count <= 7 else { return nil }
    let values = numbers.compactMap { $0 }
    guard values.count == numbers.count else { return nil }
    return time(values[0], values[1], values[2], values[3], values[4], values[5])
  }

  /// `Wed, 12 Oct 2009 17:50:30 GMT`, in headers.
  static func http(_ text: String) -> Int64? {
    let parts = text.split(separator: " ")
    guard parts.count == 6, parts[5] == "GMT", let month = months.firstIndex(of: String(parts[2])) else {
      return nil
    }
    let clock = parts[4].split(separator: ":").compactMap { SafeInteger.read($0).map(Int64.init) }
    guard clock.count == 3, let day = SafeInteger.read(parts[1]).map(Int64.init),
      let year = SafeInteger.read(parts[3]).map(Int64.init)
    else { return nil }
    return time(year, Int64(month + 1), day, clock[0], clock[1], clock[2])
  }

  private static func time(
    _ year: Int64, _ month: Int64, _ day: Int64, _ hour: Int64, _ minute: Int64, _ second: Int64
  ) -> Int64? {
    guard (1970...9999).contains(year), (1...12).contains(month), (1...31).contains(day),
      (0...23).contains(hour), (0...59).contains(minute), (0...60).contains(second)
    else { return nil }
    return days(year, month, day) * dayMs + ((hour * 60 + minute) * 60 + second) * 1000
  }

  // Days and dates by Howard Hinnant's "chrono-compatible low-level date algorithms": years begin in March,
  // so that the leap day is the last one; 719,468 days lie between the first of March of the year 0 and 1970.

  private static func days(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
    let year = month <= 2 ? year - 1 : year
    let era = year / 400
    let yearOfEra = year - era * 400
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }

  private static func date(_ days: Int64) -> (year: Int, month: Int, day: Int) {
    let days = days + 719_468
    let era = days / 146_097
    let dayOfEra = days - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let month = (5 * dayOfYear + 2) / 153
    let day = dayOfYear - (153 * month + 2) / 5 + 1
    let shown = month < 10 ? month + 3 : month - 9
    return (Int(yearOfEra + era * 400 + (shown <= 2 ? 1 : 0)), Int(shown), Int(day))
  }

  private static func padded(_ number: Int, _ width: Int) -> String {
    let text = "\(number)"
    return String(repeating: "0", count: max(0, width - text.count)) + text
  }
}
