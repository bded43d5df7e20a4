import { type Color, luminance, mix } from '../pixels/color.ts'
import { clamp, lerp } from '../pixels/scalar.ts'
import type { Random } from '../pixels/random.ts'
import { fillEach } from './flood.ts'
import type { Canvas, Family } from './family.ts'

/** Stripes or squares that swell and sink until the flat picture seems to bulge. */
export const opArt: Family = {
  name: 'op-art illusion',
  words:
    'op art, optical, optical illusion, illusion, stripe, striped pattern, checkerboard, checker, vasarely, hypnotic, moire, zebra',
  moods: ['dramatic', 'happy'],
  paint(canvas) {
    const { picture, palette, random } = canvas
    const [dark, light] = extremes([palette.ground, ...palette.inks])
    const warp = bulges(canvas)
    const checkered = random.chance(0.5)
    const lines = random.between(13, 20)
    const inks = palette.inks
    const edge = (lines / picture.unit) * 1.4
    fillEach(picture, (x, y) => {
      const { u, v, swell } = warp(x, y)
      const across = wave(u * lines, edge / swell)
      const down = wave(v * lines, edge / swell)
      const share = checkered
        ? across * down + (1 - across) * (1 - down)
        : wave(v * lines + Math.sin(u * 4.2) * 1.4, edge / swell)
      const place = clamp(0.5 + u * 0.5 + v * 0.3)
      const ink = inks[Math.min(inks.length - 1, Math.floor(place * inks.length))] ?? light
      const tinted = mix(light, ink, clamp((swell - 1) * 0.9))
      const shaded = lerp(0.82, 1.06, clamp(swell - 0.35))
      return mix(scaledBy(dark, shaded), scaledBy(tinted, shaded), share)
    })
  },
}

function scaledBy([red, green, blue]: Color, factor: number): Color {
  return [red * factor, green * factor, blue * factor]
}

function extremes(colors: readonly Color[]): [Color, Color] {
  const sorted = colors.toSorted((a, b) => luminance(a) - luminance(b))
  return [sorted[0]!, sorted.at(-1)!]
}

/** A square wave from 0 to 1 with edges one pixel soft. */
function wave(value: number, softness: number): number {
  const distance = Math.abs(value - Math.floor(value) - 0.5) - 0.25
  return clamp(0.5 - distance / Math.max(0.002, softness))
}

interface Warped {
  u: number
  v: number
  swell: number
}

function bulges({ picture, random, energy }: Canvas): (x: number, y: number) => Warped {
  const spheres = Array.from({ length: 2 + random.index(3) }, () =>
    sphere(random, energy, picture.width / picture.unit, picture.height / picture.unit),
  )
  const turn = random.between(-0.5, 0.5)
  const point: Warped = { u: 0, v: 0, swell: 1 }
  return (x, y) => {
    let u = x
    let v = y
    let swell = 1
    for (const { centerX, centerY, radius, strength } of spheres) {
      const dx = x - centerX
      const dy = y - centerY
      const distance = Math.hypot(dx, dy) / radius
      if (distance >= 1) continue
      const lift = (1 - distance * distance) ** 1.5 * strength
      u -= dx * lift
      v -= dy * lift
      swell += lift
    }
    point.u = u * Math.cos(turn) - v * Math.sin(turn)
    point.v = u * Math.sin(turn) + v * Math.cos(turn)
    point.swell = swell
    return point
  }
}

function sphere(random: Random, energy: number, width: number, height: number) {
  return {
    centerX: random.between(-0.36, 0.36) * width,
    centerY: random.between(-0.36, 0.36) * height,
    radius: random.between(0.22, 0.44),
    strength: Math.min(0.6, random.between(0.4, 0.58) * energy),
  }
}
