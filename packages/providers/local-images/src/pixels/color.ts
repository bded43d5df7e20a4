import { clamp } from './scalar.ts'

/** Red, green and blue as a screen shows them (sRGB), each 0 to 1. */
export type Color = readonly [red: number, green: number, blue: number]

/** Reads `#rrggbb`. */
export function hex(code: string): Color {
  const value = Number.parseInt(code.slice(1), 16)
  return [(value >> 16) / 255, ((value >> 8) & 255) / 255, (value & 255) / 255]
}

/** Writes a color for the canvas. */
export function css([red, green, blue]: Color, alpha = 1): string {
  const byte = (channel: number) => Math.round(clamp(channel) * 255)
  return `rgba(${byte(red)},${byte(green)},${byte(blue)},${alpha})`
}

/** Mixes as light does on a screen: quick, and right for haze and shade. */
export function mix(from: Color, to: Color, share: number): Color {
  return [from[0] + (to[0] - from[0]) * share, from[1] + (to[1] - from[1]) * share, from[2] + (to[2] - from[2]) * share]
}

/** Mixes as the eye does (oklab): right for gradients between hues. */
export function blend(from: Color, to: Color, share: number): Color {
  return fromOklab(mix(toOklab(from), toOklab(to), share))
}

/** Lightens above 1 and darkens below it. */
export function scaled([red, green, blue]: Color, factor: number): Color {
  return [red * factor, green * factor, blue * factor]
}

/** One color seen in the light of another. */
export function lit(color: Color, light: Color): Color {
  return [color[0] * light[0], color[1] * light[1], color[2] * light[2]]
}

/** Perceived brightness, 0 to 1. */
export function luminance([red, green, blue]: Color): number {
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** Lightness, then the two opponent axes (Ottosson 2020). */
export function toOklab([red, green, blue]: Color): Color {
  const r = toLinear(red)
  const g = toLinear(green)
  const b = toLinear(blue)
  const long = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b)
  const medium = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b)
  const short = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b)
  return [
    0.2104542553 * long + 0.793617785 * medium - 0.0040720468 * short,
    1.9779984951 * long - 2.428592205 * medium + 0.4505937099 * short,
    0.0259040371 * long + 0.7827717662 * medium - 0.808675766 * short,
  ]
}

/** The screen's nearest color to an oklab one. */
export function fromOklab([lightness, a, b]: Color): Color {
  const long = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const medium = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const short = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3
  return [
    fromLinear(4.0767416621 * long - 3.3077115913 * medium + 0.2309699292 * short),
    fromLinear(-1.2684380046 * long + 2.6097574011 * medium - 0.3413193965 * short),
    fromLinear(-0.0041960863 * long - 0.7034186147 * medium + 1.707614701 * short),
  ]
}

/** Keeps the hue and sets the lightness and, as a factor, the strength of the color. */
export function retoned(color: Color, lightness: number, chroma = 1): Color {
  const [, a, b] = toOklab(color)
  return fromOklab([lightness, a * chroma, b * chroma])
}

function toLinear(channel: number): number {
  return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4
}

function fromLinear(channel: number): number {
  if (channel <= 0) return 0
  return clamp(channel <= 0.0031308 ? channel * 12.92 : 1.055 * channel ** (1 / 2.4) - 0.055)
}
