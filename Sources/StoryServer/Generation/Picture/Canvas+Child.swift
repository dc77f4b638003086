extension Canvas {
  /// Paints a child's head around a point; `radius` is the head's.
  func head(_ look: Look, x: Float, y: Float, radius: Float) {
    let hairShade = look.hair.darker(0.25)
    if look.hasLongHair {
      rectangle(
        Box(x - radius * 1.1, y - radius * 0.2, x + radius * 1.1, y + radius * 1.45),
        corner: radius * 0.55, hairShade)
    }
    // The hair ends at the ears: the chin is free.
    paint(Box(x: x, y: y - radius * 0.1, radius: radius * 1.12), { _, _ in look.hair }) { px, py in
      let (u, v) = (px - x, py - (y - radius * 0.1))
      return max((u * u + v * v).squareRoot() - radius * 1.12, v - radius * 0.4)
    }
    // Ears, face, cheeks.
    for side: Float in [-1, 1] {
      disc(
        x: x + side * radius * 0.93, y: y + radius * 0.12, radius: radius * 0.19,
        look.skin.darker(0.08))
    }
    ellipse(x: x, y: y + radius * 0.1, width: radius * 1.84, height: radius * 1.8, look.skin)
    for side: Float in [-1, 1] {
      disc(
        x: x + side * radius * 0.52, y: y + radius * 0.45, radius: radius * 0.2,
        Color(0xE8746A), alpha: 0.35)
    }
    // A fringe: two locks that meet over the forehead.
    paint(
      Box(x - radius * 1.1, y - radius * 1.2, x + radius * 1.1, y + radius * 0.2),
      { _, _ in look.hair }
    ) { px, py in
      let (u, v) = (px - x, py - (y - radius * 0.1))
      let cap = (u * u + v * v).squareRoot() - radius * 1.12
      let (p, q) = (px - (x + radius * 0.25), py - (y + radius * 0.62))
      let face = radius * 1.12 - (p * p * 0.8 + q * q).squareRoot()
      return max(cap, face)
    }
    arc(
      x: x - radius * 0.1, y: y - radius * 0.25, radius: radius * 0.75, from: 0.62, to: 0.78,
      width: radius * 0.06, look.hair.lighter(0.25))
    for side: Float in [-1, 1] {
      let eye = x + side * radius * 0.36
      ellipse(
        x: eye, y: y + radius * 0.16, width: radius * 0.3, height: radius * 0.36, Color(0xFFFDF8))
      disc(x: eye, y: y + radius * 0.18, radius: radius * 0.125, look.eyes)
      disc(x: eye, y: y + radius * 0.18, radius: radius * 0.065, Color(0x15131C))
      disc(x: eye + radius * 0.045, y: y + radius * 0.13, radius: radius * 0.04, Color(0xFFFFFF))
      arc(
        x: eye, y: y + radius * 0.14, radius: radius * 0.27, from: 0.62, to: 0.88,
        width: radius * 0.05, hairShade)
    }
    arc(
      x: x, y: y + radius * 0.4, radius: radius * 0.26, from: 0.06, to: 0.44, width: radius * 0.07,
      Color(0xA8443F))
    disc(x: x, y: y + radius * 0.38, radius: radius * 0.06, look.skin.darker(0.14))
  }

  /// Paints a child that stands with its feet at a point; `height` is from head to foot.
  func child(_ look: Look, x: Float, foot: Float, height size: Float, waves: Bool = false) {
    let size = size * look.size
    let radius = size * 0.19
    let shoulder = foot - size * 0.6
    ellipse(x: x, y: foot, width: size * 0.55, height: size * 0.07, Color(0x0A0C20), alpha: 0.4)
    for side: Float in [-1, 1] {
      line(
        x + side * size * 0.07, foot - size * 0.2, x + side * size * 0.08, foot - size * 0.04,
        width: size * 0.09, Color(0x2A2F55))
      ellipse(
        x: x + side * size * 0.1, y: foot - size * 0.025, width: size * 0.15, height: size * 0.07,
        Color(0x8A3B2E))
    }
    let arm = look.coat.darker(0.18)
    line(
      x - size * 0.12, shoulder + size * 0.07, x - size * 0.2, shoulder + size * 0.28,
      width: size * 0.09, arm)
    disc(x: x - size * 0.205, y: shoulder + size * 0.3, radius: size * 0.045, look.skin)
    let (handX, handY) =
      waves
      ? (x + size * 0.25, shoulder - size * 0.1) : (x + size * 0.2, shoulder + size * 0.28)
    line(
      x + size * 0.12, shoulder + size * 0.07, handX, handY, width: size * 0.09, arm)
    disc(x: handX, y: handY, radius: size * 0.045, look.skin)
    polygon(
      [
        (x - size * 0.11, shoulder), (x + size * 0.11, shoulder),
        (x + size * 0.2, foot - size * 0.16), (x - size * 0.2, foot - size * 0.16),
      ], look.coat)
    ellipse(
      x: x, y: foot - size * 0.165, width: size * 0.4, height: size * 0.06, look.coat.darker(0.1))
    for button in 0..<3 {
      disc(
        x: x, y: shoulder + size * (0.13 + 0.1 * Float(button)), radius: size * 0.014,
        look.coat.lighter(0.7))
    }
    head(look, x: x, y: shoulder - radius * 0.75, radius: radius)
    rectangle(
      Box(x - size * 0.14, shoulder - size * 0.01, x + size * 0.14, shoulder + size * 0.06),
      corner: size * 0.035, look.scarf)
    line(
      x + size * 0.07, shoulder + size * 0.04, x + size * 0.1, shoulder + size * 0.17,
      width: size * 0.055, look.scarf.darker(0.12))
  }
}
