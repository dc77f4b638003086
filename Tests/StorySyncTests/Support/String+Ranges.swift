import Foundation

/// The first place of `piece` in `text`.
func firstRange(of piece: String, in text: String) -> Range<String.Index>? {
  text.range(of: piece)
}

extension String {
  func replacingCharacters(in range: Range<String.Index>, with new: String) -> String {
    var copy = self
    copy.replaceSubrange(range, with: new)
    return copy
  }
}
