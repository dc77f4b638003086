/// The look that is painted: what the record says, and chance for the rest.
struct Look {
  var hair: Color
  var eyes: Color
  var skin: Color
  var coat: Color
  var scarf: Color
  var hasLongHair: Bool
  var size: Float

  static let hairs: [UInt32] = [0x3B2417, 0x6B4226, 0xA8672F, 0xE3B565, 0x1D1A22, 0xB5482A]
  static let eyeColors: [UInt32] = [0x3D2A1E, 0x3E6FA3, 0x4C7F4F, 0x6B6F7A]
  static let skins: [UInt32] = [0xF6D7BD, 0xEBBE98, 0xD09A6E, 0xA9714B, 0x7B4B31]
  static let coats: [UInt32] = [0xD8574F, 0xE39B3B, 0x4FA39B, 0x7A6BC2, 0x4F7FC2, 0xC2618F]

  /// A look; what the figure leaves open is chosen by chance.
  init(_ figure: Figure, seed: inout Seed) {
    hair = figure.hair ?? Color(seed.pick(Self.hairs))
    eyes = figure.eyes ?? Color(seed.pick(Self.eyeColors))
    skin = figure.skin ?? Color(seed.pick(Self.skins))
    let coat = seed.below(Self.coats.count)
    self.coat = Color(Self.coats[coat])
    scarf = Color(Self.coats[(coat + 2 + seed.below(3)) % Self.coats.count])
    hasLongHair = figure.hasLongHair
    size = figure.isTall ? 1.12 : 1
  }
}
