/// The sky and the land that all pictures share.
struct Night {
  /// The sky from above to the horizon, and the hills from far to near.
  struct Palette {
    var sky: [UInt32]
    var hills: [UInt32]
  }

  static let palettes: [Palette] = [
    Palette(sky: [0x0F1640, 0x2B3A80, 0x8A6FB0], hills: [0x4A4F94, 0x33407A, 0x1F2F58]),
    Palette(sky: [0x0B1E3F, 0x1F4E7A, 0x6FA6B8], hills: [0x3C7089, 0x2A5670, 0x1A3E52]),
    Palette(sky: [0x1B1238, 0x4B2A6B, 0xD98A7C], hills: [0x6E4A86, 0x4D3570, 0x2F2452]),
    Palette(sky: [0x0A1A2F, 0x17465C, 0x58A08F], hills: [0x2F6F6B, 0x225757, 0x163F44]),
  ]

  let palette: Palette
  var seed: Seed

  init(seed: Seed) {
    self.seed = seed
    palette = self.seed.pick(Self.palettes)
  }

  private mutating func number(_ low: Float, _ high: Float) -> Float {
    Float(seed.within(Double(low)...Double(high)))
  }

  /// Paints the sky with its stars and the moon.
  mutating func paintSky(on canvas: borrowing Canvas, hasMoon: Bool = true, clouds: Int = 2) {
    let (top, middle, low) = (
      Color(palette.sky[0]), Color(palette.sky[1]), Color(palette.sky[2])
    )
    canvas.paint(
      canvas.all,
      { _, y in
        y < 0.45
          ? top.mixed(with: middle, y / 0.45) : middle.mixed(with: low, min(1, (y - 0.45) / 0.35))
      }, outside: { _, _ in -1 })
    let aspect = canvas.aspect
    for _ in 0..<90 {
      let (x, y) = (number(0, aspect), number(0, 0.62))
      let bright = number(0.25, 1) * (1 - y)
      canvas.disc(
        x: x, y: y, radius: number(0.0012, 0.0032), Color(0xFFF7DC), alpha: bright)
    }
    for _ in 0..<5 {
      let (x, y, size) = (number(0.05, aspect - 0.05), number(0.05, 0.45), number(0.012, 0.024))
      canvas.glow(x: x, y: y, radius: size * 1.6, Color(0xFFF3C4), alpha: 0.35)
      canvas.line(x - size, y, x + size, y, width: 0.003, Color(0xFFF7DC), alpha: 0.8)
      canvas.line(x, y - size, x, y + size, width: 0.003, Color(0xFFF7DC), alpha: 0.8)
      canvas.disc(x: x, y: y, radius: size * 0.28, Color(0xFFFFFF))
    }
    if hasMoon { paintMoon(on: canvas) }
    for _ in 0..<clouds {
      let (x, y, size) = (number(0, aspect), number(0.16, 0.42), number(0.05, 0.09))
      for (dx, dy, part) in [
        (-1.5, 0.2, 0.6), (-0.6, -0.2, 0.9), (0.5, -0.1, 1), (1.5, 0.25, 0.65),
      ] as [(Float, Float, Float)] {
        canvas.ellipse(
          x: x + dx * size, y: y + dy * size, width: size * 2.6 * part, height: size * 1.1 * part,
          low.lighter(0.25), alpha: 0.28)
      }
    }
  }

  private mutating func paintMoon(on canvas: borrowing Canvas) {
    let (x, y) = (number(0.62, 0.86) * canvas.aspect, number(0.14, 0.26))
    let radius = number(0.07, 0.1)
    let light = Color(0xFFF1C9)
    canvas.glow(x: x, y: y, radius: radius * 4, light, alpha: 0.5)
    if seed.below(3) == 0 {
      // A crescent: what another disc leaves of this one.
      canvas.paint(Canvas.Box(x: x, y: y, radius: radius), { _, _ in light }) { px, py in
        let disc = ((px - x) * (px - x) + (py - y) * (py - y)).squareRoot() - radius
        let (u, v) = (px - x - radius * 0.5, py - y + radius * 0.15)
        return max(disc, radius * 0.86 - (u * u + v * v).squareRoot())
      }
    } else {
      canvas.disc(x: x, y: y, radius: radius, light)
      for (dx, dy, part) in [
        (-0.35, -0.2, 0.22), (0.3, 0.3, 0.17), (0.1, -0.45, 0.12), (-0.25, 0.45, 0.13),
      ] as [(Float, Float, Float)] {
        canvas.disc(
          x: x + dx * radius, y: y + dy * radius, radius: part * radius, Color(0xE4CF9C), alpha: 0.7
        )
      }
    }
  }

  /// Paints hills one before the other.
  ///
  /// - Parameter base: where the nearest begins.
  /// - Returns: the height of the nearest hill at each place.
  mutating func paintHills(
    on canvas: borrowing Canvas, base: Float = 0.8, layers: Int = 3
  ) -> (Float) -> Float {
    var nearest: (Float) -> Float = { _ in base }
    for layer in 0..<layers {
      let (phase, other) = (number(0, 1), number(0, 1))
      let (wide, narrow) = (number(0.55, 0.8), number(1.3, 1.9))
      let level = base - Float(layers - 1 - layer) * 0.11
      let curve: (Float) -> Float = { x in
        level + 0.035 * Wave.sine(x * wide + phase) + 0.015 * Wave.sine(x * narrow + other)
      }
      let color = Color(palette.hills[3 - layers + layer])
      canvas.below(curve, color.lighter(0.06), color.darker(0.45))
      nearest = curve
    }
    return nearest
  }
}
