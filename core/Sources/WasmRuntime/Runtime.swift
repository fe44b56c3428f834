// What the C library would do through an operating system that is not there. Having these here
// keeps its versions, and with them all imports, out of the module.

/// The runtime prints a message before it traps; there is nowhere to print to.
@_cdecl("putchar")
public func putchar(_ character: Int32) -> Int32 { character }

/// `assert` of the allocator (its heap is damaged): traps, as `abort` does.
@_cdecl("__assert_fail")
public func assertFail(
  _ expression: UnsafePointer<Int8>?, _ file: UnsafePointer<Int8>?, _ line: Int32,
  _ function: UnsafePointer<Int8>?
) { fatalError() }
