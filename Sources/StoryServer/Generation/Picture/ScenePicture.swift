/// A scene of a story: the hero, small in the land, with something of the event.
struct ScenePicture {
  let figure: Figure
  let event: String?
  /// Which of the story's scenes it is, from 1.
  let order: Int
  let seed: UInt64
  /// The width in pixels; the height is two thirds of it.
  var width = 768

  /// The picture as a file.
  func png() -> [UInt8] {
    let height = max(1, width * 2 / 3)
    let canvas = Canvas(width: width, height: height)
    // The hero looks as in the avatar, whatever else differs from picture to picture.
    var lookSeed = Seed(figure.seed)
    let look = Look(figure, seed: &lookSeed)
    var night = Night(seed: Seed(seed))
    let isWet = event == "rainyDay"
    night.paintSky(on: canvas, hasMoon: !isWet, clouds: isWet ? 6 : 1 + order % 3)
    let ground = night.paintHills(on: canvas, base: 0.82)
    var props = Props(night: night, look: look, ground: ground)
    props.paint(event: event, order: order, on: canvas)
    return PNG.bytes(width: width, height: height, rows: canvas.rgb())
  }
}
