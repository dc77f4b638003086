#if os(Linux)
  import CPlatform
#endif

/// How the C library keeps the memory that this program has freed.
enum Heap {
  /// From how many bytes on a piece is large.
  private static let large: Int32 = 1 << 20
  /// How many threads find a heap of their own; others share these.
  private static let arenas: Int32 = 2

  /// Has freed memory used again, or given back.
  ///
  /// glibc keeps a large piece once for the next one of its size, which of lists of hundreds of thousands
  /// of records never comes: a push of 200,000 records took a fifth more memory at its peak. And it gives
  /// each thread a heap, of which each keeps what its thread needed most at a time: in the same push a
  /// tenth.
  static func limit() {
    #if os(Linux)
      stories_limit_heap(large, arenas)
    #endif
  }
}
