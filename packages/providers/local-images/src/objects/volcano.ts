import type { Painting } from '../landscape/painting.ts'
import { paintHalo } from '../landscape/stars.ts'
import { css, hex, lit, mix } from '../pixels/color.ts'
import { drawOver } from '../pixels/picture.ts'
import { clamp } from '../pixels/scalar.ts'
import type { Paint } from './drawable.ts'
import type { Spot } from './spot.ts'
import { plantFoot } from './wooded-foot.ts'

export const volcano: Paint = (painting, spot) => {
  const { picture, light, noise } = painting
  const { x, y, height } = spot
  const lava = mix(hex('#ff5a1a'), light.haze, spot.fade * 0.3)
  for (let column = Math.floor(x - height * 1.5); column < x + height * 1.5; column++) {
    if (column < 0 || column >= picture.width) continue
    paintSlope(painting, spot, column)
  }
  paintHalo(picture, x, y - height * 0.98, height * 0.75, lava, 0.75)
  drawOver(picture, (pen) => {
    plume(painting, spot, pen)
    pen.strokeStyle = css(lava, 0.95)
    pen.lineCap = 'round'
    for (const [index, drift] of [-0.24, 0.05, 0.3].entries()) {
      pen.lineWidth = height * (0.022 - index * 0.004)
      pen.beginPath()
      for (let step = 0; step <= 16; step++) {
        const share = step / 16
        const bend = noise.at(step * 0.35 + index * 9, 4) * height * 0.06
        pen.lineTo(x + drift * share * height * 0.9 + bend * share, y - height * (0.97 - share * (0.62 - index * 0.1)))
      }
      pen.stroke()
    }
  })
  plantFoot(painting, spot, { reach: 1.35, gap: 0 })
}

function paintSlope({ picture, light, noise }: Painting, { x, y, height, fade }: Spot, column: number): void {
  const across = (column - x) / height
  const profile = Math.max(0, 1 - Math.abs(across) * 0.72) ** 1.75 + noise.fractal(across * 6, 3, 4) * 0.02
  const crater = Math.abs(across) < 0.1 ? 0.035 * (1 - (across / 0.1) ** 2) : 0
  const top = y - height * (clamp(profile, 0, 0.86) / 0.86 - crater)
  const rock = hex('#5c5058')
  for (let row = Math.max(0, Math.floor(top)); row < Math.min(picture.height, y); row++) {
    const down = (row - top) / height
    const gully = noise.ridged(across * 5 + noise.at(across * 9, down * 6) * 0.3, down * 1.6, 4)
    const received = clamp(0.5 + across * light.side * 0.75 + (gully - 0.5) * 0.9)
    const snow = clamp(1 - (row - (y - height)) / (height * 0.3) - gully * 0.7)
    const own = mix(rock, hex('#eef2f8'), snow * 0.85)
    const color = mix(
      lit(own, mix(light.shade, light.lit, received)),
      light.haze,
      fade + 0.12 * clamp((row - y + height * 0.3) / (height * 0.3)),
    )
    const alpha = row === Math.floor(top) ? clamp(1 - (top - row)) : 1
    const at = (row * picture.width + column) * 3
    for (let channel = 0; channel < 3; channel++) {
      picture.pixels[at + channel] = picture.pixels[at + channel]! * (1 - alpha) + color[channel]! * alpha
    }
  }
}

function plume(
  { light, random }: Painting,
  { x, y, height }: Spot,
  pen: Parameters<Parameters<typeof drawOver>[1]>[0],
): void {
  const chance = random.fork(91)
  for (let puff = 0; puff < 60; puff++) {
    const share = puff / 60
    const gray = mix(light.shade, hex('#d8cfc8'), chance.between(0.1, 0.7))
    pen.fillStyle = css(mix(gray, hex('#ff8a4a'), (1 - share) ** 3 * 0.8), 0.34 * (1 - share * 0.7))
    pen.beginPath()
    const spread = height * (0.03 + share * 0.2)
    const drift = -light.side * share * share * height * 0.4
    pen.arc(
      x + drift + chance.between(-1, 1) * spread,
      y - height * (0.98 + share * 0.75),
      spread * chance.between(0.4, 0.8),
      0,
      Math.PI * 2,
    )
    pen.fill()
  }
}
