import type { Color } from '../pixels/color.ts'
import type { Picture } from '../pixels/picture.ts'
import { fieldOver } from './field.ts'

/** Covers the whole picture with one color. */
export function flood({ pixels }: Picture, [red, green, blue]: Color): void {
  for (let at = 0; at < pixels.length; at += 3) {
    pixels[at] = red
    pixels[at + 1] = green
    pixels[at + 2] = blue
  }
}

/** Gives every pixel the color of its place; `x` and `y` are shares of the shorter side from the middle. */
export function fillEach({ pixels, width, height, unit }: Picture, colorAt: (x: number, y: number) => Color): void {
  let at = 0
  for (let row = 0; row < height; row++) {
    const y = (row + 0.5 - height / 2) / unit
    for (let column = 0; column < width; column++, at += 3) {
      const [red, green, blue] = colorAt((column + 0.5 - width / 2) / unit, y)
      pixels[at] = red
      pixels[at + 1] = green
      pixels[at + 2] = blue
    }
  }
}

/** As `fillEach`, for colors that change so slowly that every third pixel tells them all. */
export function fillSmoothly(picture: Picture, colorAt: (x: number, y: number) => Color): void {
  const fields = [0, 1, 2].map((channel) => fieldOver(picture, (x, y) => colorAt(x, y)[channel]!))
  fillEach(picture, (x, y) => [fields[0]!(x, y), fields[1]!(x, y), fields[2]!(x, y)])
}
