/// A hero's picture: head and shoulders under a night sky.
struct AvatarPicture {
  let figure: Figure
  /// What is left to chance follows from it.
  let seed: UInt64
  /// The length of a side in pixels.
  var size = 512

  /// The picture as a file.
  func png() -> [UInt8] {
    let canvas = Canvas(width: size, height: size)
    var chance = Seed(seed)
    let look = Look(figure, seed: &chance)
    var night = Night(seed: chance)
    night.paintSky(on: canvas, clouds: 1)
    _ = night.paintHills(on: canvas, base: 0.86)
    canvas.glow(x: 0.5, y: 0.5, radius: 0.55, Color(0xFFE3A8), alpha: 0.25)
    // Shoulders.
    canvas.ellipse(x: 0.5, y: 1.02, width: 0.78, height: 0.56, look.coat)
    canvas.ellipse(x: 0.5, y: 1.1, width: 0.62, height: 0.5, look.coat.lighter(0.08))
    canvas.rectangle(Canvas.Box(0.44, 0.62, 0.56, 0.8), corner: 0.05, look.skin.darker(0.1))
    if look.hasLongHair {
      canvas.rectangle(
        Canvas.Box(0.24, 0.4, 0.76, 0.88), corner: 0.14, look.hair.darker(0.25))
    }
    canvas.head(look, x: 0.5, y: 0.46, radius: 0.225)
    canvas.rectangle(Canvas.Box(0.33, 0.7, 0.67, 0.79), corner: 0.045, look.scarf)
    canvas.line(0.6, 0.76, 0.63, 0.93, width: 0.075, look.scarf.darker(0.12))
    for step in 0..<5 {
      canvas.line(
        0.37 + 0.06 * Float(step), 0.715, 0.365 + 0.06 * Float(step), 0.775, width: 0.01,
        look.scarf.lighter(0.35), alpha: 0.6)
    }
    return PNG.bytes(width: size, height: size, rows: canvas.rgb())
  }
}
