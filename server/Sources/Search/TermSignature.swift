internal import Platform

/// Terms of one entry in 64 bits, kept with each of its postings: says without another look at the index that
/// an entry does not have some terms. That it has them is never certain.
///
/// A Bloom filter: two bits for each term (Bloom, "Space/Time Trade-offs in Hash Coding with Allowable
/// Errors", CACM 13(7), 1970; as a signature file: Faloutsos and Christodoulakis, ACM TOIS 2(4), 1984). Of
/// captions with nine terms some six per cent have the bits of a term that they do not have.
struct TermSignature: Equatable {
  private(set) var bits: UInt64 = 0

  init(_ terms: some Sequence<String>) {
    for term in terms {
      let hash = FNV1a.hash(term)
      let folded = hash ^ (hash >> 32)
      bits |= 1 << (folded & 63) | 1 << ((folded >> 6) & 63)
    }
  }

  /// NB: kept in databases. With other bits for a term no entry that has it would be found by several words.
  var value: SQLValue { .integer(Int64(bitPattern: bits)) }
}
