import { css, mix, scaled } from '../pixels/color.ts'
import { drawOver } from '../pixels/picture.ts'
import { lerp } from '../pixels/scalar.ts'
import { flood } from './flood.ts'
import type { Family } from './family.ts'

/** Chips of stone strewn in plaster, none touching another. */
export const terrazzo: Family = {
  name: 'terrazzo',
  words:
    'terrazzo, confetti, pebble, chip, scattered shape, cutout, cut out, matisse, paper collage, speckle, sprinkle, camouflage',
  moods: ['happy', 'calm'],
  paint({ picture, palette, random, noise, energy }) {
    flood(picture, palette.ground)
    const chips: { x: number; y: number; radius: number }[] = []
    const area = (picture.width * picture.height) / picture.unit ** 2
    drawOver(picture, (pen) => {
      for (let attempt = 0; attempt < 2600 * area && chips.length < 620 * area; attempt++) {
        const radius = picture.unit * lerp(0.006, 0.05, random.next() ** 3.2) * (0.8 + 0.25 * energy)
        const x = random.next() * picture.width
        const y = random.next() * picture.height
        if (chips.some((chip) => Math.hypot(chip.x - x, chip.y - y) < (chip.radius + radius) * 1.02)) continue
        chips.push({ x, y, radius })
        const color = palette.inks[random.index(palette.inks.length)] ?? palette.inks[0]
        pen.fillStyle = css(mix(scaled(color, random.between(0.92, 1.08)), palette.ground, random.between(0, 0.1)))
        pen.beginPath()
        const corners = 5 + random.index(4)
        const turn = random.between(0, 7)
        for (let corner = 0; corner < corners; corner++) {
          const angle = turn + (corner / corners) * Math.PI * 2
          const reach = radius * random.between(0.68, 1)
          pen.lineTo(x + Math.cos(angle) * reach, y + Math.sin(angle) * reach * 0.86)
        }
        pen.fill()
      }
    })
    addGrain(picture.pixels, picture.width, noise)
  },
}

function addGrain(pixels: Float32Array, width: number, noise: { at(x: number, y: number): number }): void {
  for (let at = 0; at < pixels.length; at += 3) {
    const pixel = at / 3
    const grain = 1 + noise.at((pixel % width) * 0.23, Math.floor(pixel / width) * 0.23) * 0.03
    for (let channel = 0; channel < 3; channel++) pixels[at + channel] = pixels[at + channel]! * grain
  }
}
