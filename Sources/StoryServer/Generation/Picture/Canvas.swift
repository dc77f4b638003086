/// A picture that is being painted, its height as 1 and its width as ``aspect``; `y` grows downwards.
///
/// Shapes are told by how far a point is outside of them (negative inside), so that their edges are
/// smooth at every size.
struct Canvas: ~Copyable {
  let width: Int
  let height: Int
  /// The width where the height is 1.
  var aspect: Float { Float(width) / Float(height) }
  private let pixels: UnsafeMutablePointer<SIMD4<Float>>

  init(width: Int, height: Int) {
    self.width = width
    self.height = height
    pixels = .allocate(capacity: width * height)
    pixels.initialize(repeating: .zero, count: width * height)
  }

  deinit { pixels.deallocate() }

  /// The rows, three bytes a pixel.
  func rgb() -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: width * height * 3) { bytes, count in
      count = width * height * 3
      for index in 0..<width * height {
        let pixel = pixels[index].clamped(lowerBound: .zero, upperBound: .one) * 255 + 0.5
        bytes[3 * index] = UInt8(pixel.x)
        bytes[3 * index + 1] = UInt8(pixel.y)
        bytes[3 * index + 2] = UInt8(pixel.z)
      }
    }
  }

  /// The part of the picture that a shape can touch.
  struct Box {
    var left: Float
    var top: Float
    var right: Float
    var bottom: Float

    init(_ left: Float, _ top: Float, _ right: Float, _ bottom: Float) {
      (self.left, self.top, self.right, self.bottom) = (left, top, right, bottom)
    }

    init(x: Float, y: Float, radius: Float) {
      self.init(x - radius, y - radius, x + radius, y + radius)
    }
  }

  /// Everything.
  var all: Box { Box(0, 0, aspect, 1) }

  /// Paints a shape with a colour that may change from point to point.
  @inline(__always)
  func paint(
    _ box: Box, alpha: Float = 1, _ color: (_ x: Float, _ y: Float) -> Color,
    outside: (_ x: Float, _ y: Float) -> Float
  ) {
    let scale = Float(height)
    let (left, right) = (max(0, Int(box.left * scale) - 1), min(width, Int(box.right * scale) + 2))
    let (top, bottom) = (max(0, Int(box.top * scale) - 1), min(height, Int(box.bottom * scale) + 2))
    guard left < right, top < bottom else { return }
    for row in top..<bottom {
      let y = (Float(row) + 0.5) / scale
      for column in left..<right {
        let x = (Float(column) + 0.5) / scale
        let cover = min(1, max(0, 0.5 - outside(x, y) * scale)) * alpha
        guard cover > 0 else { continue }
        let paint = color(x, y)
        let index = row * width + column
        let new = SIMD4(paint.red, paint.green, paint.blue, 1)
        pixels[index] += (new - pixels[index]) * cover
      }
    }
  }

  // MARK: Shapes

  func disc(x: Float, y: Float, radius: Float, _ color: Color, alpha: Float = 1) {
    paint(Box(x: x, y: y, radius: radius), alpha: alpha, { _, _ in color }) {
      (($0 - x) * ($0 - x) + ($1 - y) * ($1 - y)).squareRoot() - radius
    }
  }

  /// An ellipse with its axes along the picture's.
  func ellipse(x: Float, y: Float, width: Float, height: Float, _ color: Color, alpha: Float = 1) {
    let (a, b) = (width / 2, height / 2)
    paint(Box(x - a, y - b, x + a, y + b), alpha: alpha, { _, _ in color }) {
      let (u, v) = (($0 - x) / a, ($1 - y) / b)
      let length = (u * u + v * v).squareRoot()
      return (length - 1) * min(a, b)
    }
  }

  /// A line with round ends.
  func line(
    _ x1: Float, _ y1: Float, _ x2: Float, _ y2: Float, width: Float, _ color: Color,
    alpha: Float = 1
  ) {
    let half = width / 2
    let (dx, dy) = (x2 - x1, y2 - y1)
    let length = max(1e-9, dx * dx + dy * dy)
    let box = Box(
      min(x1, x2) - half, min(y1, y2) - half, max(x1, x2) + half, max(y1, y2) + half)
    paint(box, alpha: alpha, { _, _ in color }) {
      let part = min(1, max(0, (($0 - x1) * dx + ($1 - y1) * dy) / length))
      let (u, v) = ($0 - x1 - part * dx, $1 - y1 - part * dy)
      return (u * u + v * v).squareRoot() - half
    }
  }

  /// A rectangle whose corners are rounded.
  func rectangle(_ box: Box, corner: Float = 0, _ color: Color, alpha: Float = 1) {
    let (x, y) = ((box.left + box.right) / 2, (box.top + box.bottom) / 2)
    let (a, b) = ((box.right - box.left) / 2 - corner, (box.bottom - box.top) / 2 - corner)
    paint(box, alpha: alpha, { _, _ in color }) {
      let (u, v) = (abs($0 - x) - a, abs($1 - y) - b)
      let (p, q) = (max(u, 0), max(v, 0))
      return (p * p + q * q).squareRoot() + min(max(u, v), 0) - corner
    }
  }

  /// A shape with straight edges and no dents, its corners in the order of a clock.
  func polygon(_ corners: [(x: Float, y: Float)], _ color: Color, alpha: Float = 1) {
    guard corners.count > 2 else { return }
    let xs = corners.map(\.x)
    let ys = corners.map(\.y)
    let box = Box(xs.min() ?? 0, ys.min() ?? 0, xs.max() ?? 0, ys.max() ?? 0)
    let edges = corners.indices.map { index -> (x: Float, y: Float, nx: Float, ny: Float) in
      let (from, to) = (corners[index], corners[(index + 1) % corners.count])
      let (dx, dy) = (to.x - from.x, to.y - from.y)
      let length = max(1e-9, (dx * dx + dy * dy).squareRoot())
      return (from.x, from.y, dy / length, -dx / length)
    }
    paint(box, alpha: alpha, { _, _ in color }) { x, y in
      var outside = -Float.infinity
      for edge in edges { outside = max(outside, (x - edge.x) * edge.nx + (y - edge.y) * edge.ny) }
      return outside
    }
  }

  /// A light that fades with the distance.
  func glow(x: Float, y: Float, radius: Float, _ color: Color, alpha: Float) {
    let scale = Float(height)
    let (left, right) = (
      max(0, Int((x - radius) * scale)), min(width, Int((x + radius) * scale) + 1)
    )
    let (top, bottom) = (
      max(0, Int((y - radius) * scale)), min(height, Int((y + radius) * scale) + 1)
    )
    guard left < right, top < bottom else { return }
    let new = SIMD4(color.red, color.green, color.blue, 1)
    for row in top..<bottom {
      let v = (Float(row) + 0.5) / scale - y
      for column in left..<right {
        let u = (Float(column) + 0.5) / scale - x
        let near = 1 - min(1, (u * u + v * v).squareRoot() / radius)
        let index = row * width + column
        pixels[index] += (new - pixels[index]) * (near * near * alpha)
      }
    }
  }

  /// A part of a circle's edge, from one angle to another; 0 is to the right, a quarter downwards.
  func arc(
    x: Float, y: Float, radius: Float, from start: Float, to end: Float, width: Float,
    _ color: Color
  ) {
    let steps = 12
    func point(_ step: Int) -> (Float, Float) {
      let angle = start + (end - start) * Float(step) / Float(steps)
      return (x + radius * Wave.cosine(angle), y + radius * Wave.sine(angle))
    }
    for step in 0..<steps {
      let ((x1, y1), (x2, y2)) = (point(step), point(step + 1))
      line(x1, y1, x2, y2, width: width, color)
    }
  }

  /// Fills what lies below a curve.
  func below(
    _ curve: (_ x: Float) -> Float, _ top: Color, _ bottom: Color, alpha: Float = 1
  ) {
    let heights = (0..<width).map { curve((Float($0) + 0.5) / Float(height)) }
    let highest = heights.min() ?? 1
    let scale = Float(height)
    paint(
      Box(0, highest, aspect, 1), alpha: alpha,
      { _, y in top.mixed(with: bottom, min(1, max(0, (y - highest) / max(0.01, 1 - highest)))) }
    ) { x, y in
      heights[min(heights.count - 1, max(0, Int(x * scale)))] - y
    }
  }
}

/// Sine and cosine without a library for mathematics: the turn of a circle is 1.
enum Wave {
  /// A quarter of the wave by its series, the rest by symmetry; off by less than 0.0002.
  static func sine(_ turns: Float) -> Float {
    var part = turns - turns.rounded(.down)
    var sign: Float = 1
    if part >= 0.5 {
      part -= 0.5
      sign = -1
    }
    if part > 0.25 { part = 0.5 - part }
    let angle = part * 2 * .pi
    let square = angle * angle
    return sign * angle * (1 - square / 6 * (1 - square / 20 * (1 - square / 42)))
  }

  static func cosine(_ turns: Float) -> Float { sine(turns + 0.25) }
}
