/// What stands in the land.
struct Props {
  var night: Night
  let look: Look
  let ground: (Float) -> Float

  private mutating func number(_ low: Float, _ high: Float) -> Float {
    Float(night.seed.within(Double(low)...Double(high)))
  }

  /// Paints what belongs to an event, and the hero in the middle of it.
  mutating func paint(event: String?, order: Int, on canvas: borrowing Canvas) {
    // The hero walks through the story from left to right.
    let place = 0.32 + 0.22 * Float((order - 1) % 4)
    for _ in 0..<3 { tree(on: canvas, x: number(0.04, 1.46), size: number(0.1, 0.2)) }
    switch event {
    case "schoolDay": house(on: canvas, x: place + 0.42, size: 0.3, hasTower: true)
    case "birthday":
      house(on: canvas, x: 1.28, size: 0.24)
      for _ in 0..<5 { balloon(on: canvas, x: place + number(-0.2, 0.3), y: number(0.28, 0.5)) }
    case "weekend", "holiday": water(on: canvas, order: order)
    case "rainyDay":
      house(on: canvas, x: place + 0.4, size: 0.26)
    case "family":
      house(on: canvas, x: 0.18, size: 0.3)
      friend(on: canvas, x: place - 0.2, size: 0.4, order: 1)
      friend(on: canvas, x: place + 0.19, size: 0.22, order: 2)
    case "friendship": friend(on: canvas, x: place + 0.24, size: 0.29, order: order)
    case "learning": tree(on: canvas, x: 1.32, size: 0.42)
    case "helping":
      house(on: canvas, x: 1.2, size: 0.28)
      cat(on: canvas, x: place + 0.2)
    default: house(on: canvas, x: place > 0.7 ? 0.2 : 1.22, size: 0.28)
    }
    let foot = max(ground(place) + 0.07, 0.88)
    canvas.glow(x: place, y: foot - 0.18, radius: 0.3, Color(0xFFE3A8), alpha: 0.22)
    canvas.child(look, x: place, foot: foot, height: 0.34, waves: order % 2 == 0)
    if event == "rainyDay" { rain(on: canvas) }
    fireflies(on: canvas)
  }

  private func house(
    on canvas: borrowing Canvas, x: Float, size: Float, hasTower: Bool = false
  ) {
    let foot = ground(x) + 0.035
    let wall = Color(0x6B4A5E)
    let window = Color(0xFFD777)
    if hasTower {
      canvas.rectangle(
        Canvas.Box(x - size * 0.12, foot - size * 1.25, x + size * 0.12, foot - size * 0.6),
        wall.darker(0.1))
      canvas.polygon(
        [
          (x, foot - size * 1.55), (x + size * 0.17, foot - size * 1.22),
          (x - size * 0.17, foot - size * 1.22),
        ], Color(0x3A2A4A))
      canvas.disc(x: x, y: foot - size * 1.05, radius: size * 0.06, Color(0xFFF1C9))
    }
    canvas.glow(x: x, y: foot - size * 0.3, radius: size * 1.1, window, alpha: 0.3)
    canvas.rectangle(
      Canvas.Box(x - size * 0.45, foot - size * 0.6, x + size * 0.45, foot), wall)
    canvas.rectangle(
      Canvas.Box(x + size * 0.2, foot - size * 1.02, x + size * 0.31, foot - size * 0.7),
      wall.darker(0.3))
    canvas.polygon(
      [
        (x, foot - size * 1.02), (x + size * 0.56, foot - size * 0.56),
        (x - size * 0.56, foot - size * 0.56),
      ], Color(0x3A2A4A))
    for side: Float in [-0.24, 0.24] {
      let center = x + side * size
      canvas.glow(x: center, y: foot - size * 0.38, radius: size * 0.3, window, alpha: 0.6)
      canvas.rectangle(
        Canvas.Box(
          center - size * 0.1, foot - size * 0.48, center + size * 0.1, foot - size * 0.27),
        corner: size * 0.02, window)
      canvas.line(
        center, foot - size * 0.48, center, foot - size * 0.27, width: size * 0.02, wall)
      canvas.line(
        center - size * 0.1, foot - size * 0.375, center + size * 0.1, foot - size * 0.375,
        width: size * 0.02, wall)
    }
    canvas.rectangle(
      Canvas.Box(x - size * 0.08, foot - size * 0.26, x + size * 0.08, foot), corner: size * 0.03,
      Color(0x8C5A3C))
  }

  private func tree(on canvas: borrowing Canvas, x: Float, size: Float) {
    let foot = ground(x) + 0.02
    let leaves = Color(night.palette.hills[2]).mixed(with: Color(0x2E6B4F), 0.45)
    canvas.line(x, foot, x, foot - size * 0.5, width: size * 0.12, Color(0x3A2C33))
    for (dx, dy, radius) in [
      (-0.22, -0.55, 0.26), (0.22, -0.58, 0.27), (0, -0.82, 0.3), (0, -0.55, 0.28),
    ] as [(Float, Float, Float)] {
      canvas.disc(x: x + dx * size, y: foot + dy * size, radius: radius * size, leaves)
    }
    canvas.disc(
      x: x + size * 0.08, y: foot - size * 0.9, radius: size * 0.17, leaves.lighter(0.14),
      alpha: 0.6)
  }

  private mutating func balloon(on canvas: borrowing Canvas, x: Float, y: Float) {
    let color = Color(night.seed.pick(Look.coats)).lighter(0.1)
    canvas.line(x, y, x + number(-0.03, 0.03), y + 0.2, width: 0.003, Color(0xFFF7DC), alpha: 0.6)
    canvas.ellipse(x: x, y: y, width: 0.075, height: 0.092, color)
    canvas.ellipse(
      x: x - 0.014, y: y - 0.018, width: 0.02, height: 0.03, Color(0xFFFFFF), alpha: 0.5)
  }

  private mutating func water(on canvas: borrowing Canvas, order: Int) {
    let shore: Float = 0.8
    let (deep, light) = (Color(0x1B3F6E), Color(0x5C8FB8))
    canvas.below({ x in shore + 0.006 * Wave.sine(x * 3) }, light.darker(0.2), deep)
    for _ in 0..<22 {
      let (x, y) = (number(0, 1.5), number(0.83, 0.99))
      let length = number(0.03, 0.09)
      canvas.line(x, y, x + length, y, width: 0.004, light.lighter(0.35), alpha: 0.45)
    }
    // Away from the hero, on the other half.
    let x = order > 2 ? 0.24 + 0.05 * Float(order) : 1.02 + 0.12 * Float(order)
    canvas.polygon(
      [(x - 0.1, 0.81), (x + 0.1, 0.81), (x + 0.065, 0.855), (x - 0.065, 0.855)], Color(0x8C5A3C))
    canvas.line(x, 0.81, x, 0.62, width: 0.008, Color(0x5A3A2A))
    canvas.polygon([(x + 0.01, 0.63), (x + 0.09, 0.785), (x + 0.01, 0.785)], Color(0xF6ECD8))
    for (dx, dy) in [(0.03, 0.75), (0.055, 0.77), (0.025, 0.7)] as [(Float, Float)] {
      canvas.disc(x: x + dx, y: dy, radius: 0.007, Color(0x4F7FC2))
    }
    // Sand to stand on.
    canvas.below(
      { x in 0.87 + 0.05 * Wave.sine(x * 0.4 + 0.35) + 0.008 * Wave.sine(x * 2) }, Color(0xD9BC8C),
      Color(0x9C7F5C))
  }

  private func friend(on canvas: borrowing Canvas, x: Float, size: Float, order: Int) {
    var other = Seed(UInt64(order) &* 7919 &+ Seed.of("friend"))
    let look = Look(Figure(hasLongHair: order % 2 == 1), seed: &other)
    canvas.child(look, x: x, foot: max(ground(x) + 0.06, 0.87), height: size)
  }

  private func cat(on canvas: borrowing Canvas, x: Float) {
    let foot = max(ground(x) + 0.07, 0.9)
    let fur = Color(0x2A2433)
    canvas.ellipse(x: x, y: foot - 0.04, width: 0.09, height: 0.08, fur)
    canvas.disc(x: x - 0.035, y: foot - 0.09, radius: 0.03, fur)
    for side: Float in [-1, 1] {
      let ear = x - 0.035 + side * 0.019
      canvas.polygon(
        [(ear, foot - 0.135), (ear + 0.013, foot - 0.1), (ear - 0.013, foot - 0.1)], fur)
      canvas.disc(x: x - 0.035 + side * 0.011, y: foot - 0.092, radius: 0.005, Color(0xF3D94F))
    }
    canvas.arc(
      x: x + 0.045, y: foot - 0.06, radius: 0.04, from: -0.2, to: 0.25, width: 0.014, fur)
  }

  private mutating func rain(on canvas: borrowing Canvas) {
    for _ in 0..<150 {
      let (x, y) = (number(0, 1.55), number(0, 0.95))
      canvas.line(x, y, x - 0.012, y + 0.045, width: 0.003, Color(0xC8DCF0), alpha: 0.4)
    }
  }

  private mutating func fireflies(on canvas: borrowing Canvas) {
    for _ in 0..<9 {
      let (x, y) = (number(0, 1.5), number(0.66, 0.95))
      canvas.glow(x: x, y: y, radius: 0.022, Color(0xFFE98A), alpha: 0.8)
      canvas.disc(x: x, y: y, radius: 0.0035, Color(0xFFFBD0))
    }
  }
}
