import { type SKRSContext2D, createCanvas } from '@napi-rs/canvas'
import type { Color } from './color.ts'

export type Pen = SKRSContext2D

/** A picture in progress, with colors that may be brighter than the screen, so that light can bloom. */
export interface Picture {
  readonly width: number
  readonly height: number
  /** The shorter side: sizes are told in shares of it, so that no format stretches a thing. */
  readonly unit: number
  /** Red, green, blue, pixel after pixel. */
  readonly pixels: Float32Array
}

/** A part of the picture, in whole pixels. */
export interface Box {
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
}

/** An empty, black picture. */
export function blankPicture(width: number, height: number): Picture {
  return { width, height, unit: Math.min(width, height), pixels: new Float32Array(width * height * 3) }
}

/** Lays one color over a pixel, `alpha` thick. */
export function cover(picture: Picture, x: number, y: number, color: Color, alpha: number): void {
  const { pixels } = picture
  const at = (y * picture.width + x) * 3
  pixels[at] = pixels[at]! + (color[0] - pixels[at]!) * alpha
  pixels[at + 1] = pixels[at + 1]! + (color[1] - pixels[at + 1]!) * alpha
  pixels[at + 2] = pixels[at + 2]! + (color[2] - pixels[at + 2]!) * alpha
}

/** Adds light to a pixel. */
export function shine(picture: Picture, x: number, y: number, color: Color, strength: number): void {
  const { pixels } = picture
  const at = (y * picture.width + x) * 3
  pixels[at] = pixels[at]! + color[0] * strength
  pixels[at + 1] = pixels[at + 1]! + color[1] * strength
  pixels[at + 2] = pixels[at + 2]! + color[2] * strength
}

/** The part of a box, told in any numbers, that lies on the picture. */
export function boxOn(picture: Picture, left: number, top: number, right: number, bottom: number): Box {
  const x = Math.max(0, Math.floor(left))
  const y = Math.max(0, Math.floor(top))
  return {
    left: x,
    top: y,
    width: Math.max(0, Math.min(picture.width, Math.ceil(right)) - x),
    height: Math.max(0, Math.min(picture.height, Math.ceil(bottom)) - y),
  }
}

/** Draws shapes over the picture, in the picture's own coordinates; a box keeps the cost to its pixels. */
export function drawOver(picture: Picture, draw: (pen: Pen) => void, box?: Box): void {
  const { left, top, width, height } = box ?? { left: 0, top: 0, width: picture.width, height: picture.height }
  if (width === 0 || height === 0) return
  const canvas = createCanvas(width, height)
  const pen = canvas.getContext('2d')
  pen.translate(-left, -top)
  draw(pen)
  // The canvas keeps its colors premultiplied, which is just what laying one over another needs.
  const drawn = canvas.data()
  const whole = new Uint32Array(drawn.buffer, drawn.byteOffset, width * height)
  const { pixels } = picture
  for (let row = 0; row < height; row++) {
    let from = row * width * 4
    let to = ((top + row) * picture.width + left) * 3
    for (let column = 0; column < width; column++, from += 4, to += 3) {
      // Most of a layer is empty, and four bytes are as quickly looked at as one.
      if (whole[from >> 2] === 0) continue
      const kept = 1 - drawn[from + 3]! / 255
      pixels[to] = pixels[to]! * kept + drawn[from]! / 255
      pixels[to + 1] = pixels[to + 1]! * kept + drawn[from + 1]! / 255
      pixels[to + 2] = pixels[to + 2]! * kept + drawn[from + 2]! / 255
    }
  }
}
