/// A colour by the light of its channels, each from 0 to 1 as the file has it (sRGB).
struct Color: Equatable, Sendable {
  var red: Float
  var green: Float
  var blue: Float

  init(_ red: Float, _ green: Float, _ blue: Float) {
    self.red = red
    self.green = green
    self.blue = blue
  }

  /// The colour of `0xRRGGBB`.
  init(_ hex: UInt32) {
    self.init(Float(hex >> 16 & 255) / 255, Float(hex >> 8 & 255) / 255, Float(hex & 255) / 255)
  }

  /// The colour between this one and another.
  func mixed(with other: Color, _ part: Float) -> Color {
    Color(
      red + (other.red - red) * part, green + (other.green - green) * part,
      blue + (other.blue - blue) * part)
  }

  func darker(_ part: Float) -> Color { mixed(with: Color(0x10122E), part) }
  func lighter(_ part: Float) -> Color { mixed(with: Color(0xFFF6E0), part) }
}
