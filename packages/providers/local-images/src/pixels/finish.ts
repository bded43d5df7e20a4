import type { Picture } from './picture.ts'
import { clamp } from './scalar.ts'
import type { Random } from './random.ts'

/** How a picture is developed: `natural` holds back, `vivid` does not. */
export interface Finish {
  readonly saturation: number
  readonly contrast: number
  /** How much of the brightest light spills over its neighbors, 0 to 1. */
  readonly bloom: number
  /** How much the corners darken, 0 to 1. */
  readonly vignette: number
  /** Strength of the film grain. */
  readonly grain: number
}

const threshold = 0.74
const middleGray = 0.46
const knee = 0.82
const shrink = 8

/** Blooms, tones and grains a picture, and gives its bytes: red, green, blue, pixel after pixel. */
export function developed(picture: Picture, finish: Finish, random: Random): Uint8Array {
  const { width, height, pixels } = picture
  const glow = finish.bloom > 0 ? spilledLight(picture) : undefined
  const bytes = new Uint8Array(width * height * 3)
  const spill = new Float32Array(3)
  for (let y = 0; y < height; y++) {
    const down = y / height - 0.5
    for (let x = 0; x < width; x++) {
      const at = (y * width + x) * 3
      if (glow) sample(glow, x / shrink, y / shrink, spill)
      const red = shoulder(pixels[at]! + spill[0]! * finish.bloom)
      const green = shoulder(pixels[at + 1]! + spill[1]! * finish.bloom)
      const blue = shoulder(pixels[at + 2]! + spill[2]! * finish.bloom)
      const gray = 0.2126 * red + 0.7152 * green + 0.0722 * blue
      const across = x / width - 0.5
      const off = (across * across + down * down) * 1.9
      const shade = 1 - finish.vignette * off * off
      const grain = (random.next() - 0.5) * finish.grain
      bytes[at] = toned(red, gray, finish, shade, grain)
      bytes[at + 1] = toned(green, gray, finish, shade, grain)
      bytes[at + 2] = toned(blue, gray, finish, shade, grain)
    }
  }
  return bytes
}

function toned(channel: number, gray: number, finish: Finish, shade: number, grain: number): number {
  const saturated = gray + (channel - gray) * finish.saturation
  const contrasted = middleGray + (saturated - middleGray) * finish.contrast
  return clamp(contrasted * shade + grain) * 255 + 0.5
}

/** Bends what is brighter than the screen back under 1, as film does. */
function shoulder(value: number): number {
  return value < knee ? value : knee + (1 - knee) * (1 - Math.exp((knee - value) / (1 - knee)))
}

interface Glow {
  readonly width: number
  readonly height: number
  readonly light: Float32Array
}

function spilledLight(picture: Picture): Glow {
  const bright = brightest(picture)
  const radius = Math.max(2, Math.round(picture.unit / shrink / 42))
  let light = bright.light
  for (let pass = 0; pass < 3; pass++) {
    light = boxBlurred({ ...bright, light }, radius, 3, bright.width)
    light = boxBlurred({ ...bright, light }, radius, bright.width * 3, bright.height)
  }
  return { ...bright, light }
}

function brightest({ width, height, pixels }: Picture): Glow {
  const across = Math.ceil(width / shrink)
  const down = Math.ceil(height / shrink)
  const light = new Float32Array(across * down * 3)
  for (let y = 0; y < height; y += 2) {
    for (let x = 0; x < width; x += 2) {
      const from = (y * width + x) * 3
      const to = (Math.floor(y / shrink) * across + Math.floor(x / shrink)) * 3
      for (let channel = 0; channel < 3; channel++) {
        const over = Math.min(1.2, pixels[from + channel]! - threshold)
        if (over > 0) light[to + channel] = light[to + channel]! + over / 16
      }
    }
  }
  return { width: across, height: down, light }
}

/** One pass of a running mean; `stride` leads to the neighbor, `length` is the size of a line that way. */
function boxBlurred(glow: Glow, radius: number, stride: number, length: number): Float32Array {
  const { light, width, height } = glow
  const blurred = new Float32Array(light.length)
  const lines = stride === 3 ? height : width
  const lineStride = stride === 3 ? width * 3 : 3
  const span = radius * 2 + 1
  for (let line = 0; line < lines; line++) {
    for (let channel = 0; channel < 3; channel++) {
      const start = line * lineStride + channel
      const value = (index: number) => light[start + clamp(index, 0, length - 1) * stride]!
      let sum = 0
      for (let index = -radius; index <= radius; index++) sum += value(index)
      for (let index = 0; index < length; index++) {
        blurred[start + index * stride] = sum / span
        sum += value(index + radius + 1) - value(index - radius)
      }
    }
  }
  return blurred
}

function sample({ width, height, light }: Glow, x: number, y: number, into: Float32Array): void {
  const left = Math.min(width - 1, Math.floor(x))
  const top = Math.min(height - 1, Math.floor(y))
  const right = Math.min(width - 1, left + 1)
  const bottom = Math.min(height - 1, top + 1)
  const shareX = x - left
  const shareY = y - top
  for (let channel = 0; channel < 3; channel++) {
    const a = light[(top * width + left) * 3 + channel]!
    const b = light[(top * width + right) * 3 + channel]!
    const c = light[(bottom * width + left) * 3 + channel]!
    const d = light[(bottom * width + right) * 3 + channel]!
    const upper = a + (b - a) * shareX
    into[channel] = upper + (c + (d - c) * shareX - upper) * shareY
  }
}
