import type { Painting } from '../landscape/painting.ts'
import { css, hex, lit, mix } from '../pixels/color.ts'
import { type Pen, drawOver } from '../pixels/picture.ts'
import type { Random } from '../pixels/random.ts'
import { clamp } from '../pixels/scalar.ts'
import type { Paint } from './drawable.ts'
import type { Spot } from './spot.ts'
import { plantFoot } from './wooded-foot.ts'

export const waterfall: Paint = (painting, spot) => {
  paintCliff(painting, spot)
  drawOver(painting.picture, (pen) => {
    const chance = painting.random.fork(17)
    drawThreads(pen, painting, spot, chance)
    drawSpray(pen, painting, spot, chance)
  })
  plantFoot(painting, spot, { reach: 0.95, gap: 0.2 })
}

/** Falling water, thread by thread. */
function drawThreads(pen: Pen, { light }: Painting, { x, y, height }: Spot, chance: Random): void {
  const bright = lit(hex('#f4f9ff'), light.lit)
  const dim = lit(hex('#a9c3dc'), light.lit)
  for (let thread = 0; thread < 150; thread++) {
    const offset = (chance.next() + chance.next() - 1) * height * 0.13
    pen.strokeStyle = css(mix(bright, dim, chance.next()), chance.between(0.25, 0.75))
    pen.lineWidth = height * chance.between(0.003, 0.009)
    pen.beginPath()
    pen.moveTo(x + offset, y - height * 0.93 + Math.abs(offset) * 0.35)
    const [upper, lower] = [y - height * 0.6, y - height * 0.3]
    pen.bezierCurveTo(
      x + offset * 1.05,
      upper,
      x + offset * 1.2,
      lower,
      x + offset * 1.35 + height * chance.between(-0.006, 0.006),
      y,
    )
    pen.stroke()
  }
}

function drawSpray(pen: Pen, { light }: Painting, { x, y, height }: Spot, chance: Random): void {
  pen.fillStyle = css(mix(light.haze, hex('#ffffff'), 0.5), 0.07)
  for (let puff = 0; puff < 40; puff++) {
    const [across, up] = [chance.between(-0.28, 0.28), chance.between(-0.02, 0.1)]
    pen.beginPath()
    pen.arc(x + across * height, y - up * height, height * chance.between(0.03, 0.09), 0, Math.PI * 2)
    pen.fill()
  }
}

function paintCliff({ picture, light, noise }: Painting, { x, y, height, fade }: Spot): void {
  for (let column = Math.floor(x - height); column < x + height; column++) {
    if (column < 0 || column >= picture.width) continue
    const across = (column - x) / height
    const shoulder = clamp(1.42 - Math.abs(across) * 1.46) ** 1.1
    const notch = 0.07 * Math.exp(-((across / 0.13) ** 2))
    const top =
      y - height * (shoulder * (1 + noise.fractal(across * 5 + 2, 9, 5) * 0.5 * clamp(Math.abs(across) * 4)) - notch)
    for (let row = Math.max(0, Math.floor(top)); row < Math.min(picture.height, y); row++) {
      const down = (row - top) / height
      const strata = noise.fractal(across * 3 + 5, down * 14, 3)
      const crack = noise.ridged(across * 7, down * 2.2, 4)
      const received = clamp(0.4 + across * light.side * 0.5 + strata * 0.5 + (crack - 0.5) * 0.8)
      const moss = clamp(1 - down * 14 + strata)
      const color = mix(
        lit(mix(hex('#6f6a66'), hex('#5d7a45'), moss * 0.9), mix(light.shade, light.lit, received)),
        light.haze,
        fade,
      )
      const alpha = row === Math.floor(top) ? clamp(1 - (top - row)) : 1
      const at = (row * picture.width + column) * 3
      for (let channel = 0; channel < 3; channel++) {
        picture.pixels[at + channel] = picture.pixels[at + channel]! * (1 - alpha) + color[channel]! * alpha
      }
    }
  }
}
