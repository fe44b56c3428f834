/// Values by item: a sorted array, since hashing has no place where order must not depend on it.
/// Appending handles in rising order, as hosts do, costs nothing; a look-up is a binary search.
public struct ItemTable<Value> {
  private var items: [ItemID] = []
  private var values: [Value] = []

  public init() {}

  public var count: Int { items.count }

  public subscript(item: ItemID) -> Value? {
    guard let index = index(of: item) else { return nil }
    return values[index]
  }

  /// Adds or replaces.
  public mutating func set(_ value: Value, for item: ItemID) {
    let place = insertionPoint(of: item)
    if place < items.count, items[place] == item {
      values[place] = value
    } else {
      items.insert(item, at: place)
      values.insert(value, at: place)
    }
  }

  /// Changes a value in place; does nothing for an item that is not here.
  public mutating func update(_ item: ItemID, _ change: (inout Value) -> Void) {
    guard let index = index(of: item) else { return }
    change(&values[index])
  }

  public mutating func remove(_ item: ItemID) {
    guard let index = index(of: item) else { return }
    items.remove(at: index)
    values.remove(at: index)
  }

  /// The lowest item that fulfils a condition.
  public func firstItem(where isWanted: (ItemID, Value) -> Bool) -> ItemID? {
    for index in items.indices where isWanted(items[index], values[index]) { return items[index] }
    return nil
  }

  private func index(of item: ItemID) -> Int? {
    let place = insertionPoint(of: item)
    return place < items.count && items[place] == item ? place : nil
  }

  private func insertionPoint(of item: ItemID) -> Int {
    var low = 0
    var high = items.count
    while low < high {
      let middle = (low + high) / 2
      if items[middle].rawValue < item.rawValue { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

extension ItemTable: Sendable where Value: Sendable {}
