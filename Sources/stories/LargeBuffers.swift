#if os(Linux)
  import CPlatform
#endif

/// What becomes of large pieces of memory that are no longer needed.
enum LargeBuffers {
  /// From how many bytes on a piece is large.
  private static let size: Int32 = 1 << 20

  /// Has large pieces go back to the system as soon as they are free.
  ///
  /// glibc keeps what was freed once for the next one of its size, which of lists of hundreds of
  /// thousands of records never comes: a push of 200,000 records took a fifth more memory at its peak.
  static func giveBack() {
    #if os(Linux)
      stories_give_back_from(size)
    #endif
  }
}
