import { type Color, blend, hex, mix } from '../pixels/color.ts'
import { cover } from '../pixels/picture.ts'
import type { Random } from '../pixels/random.ts'
import { clamp, smoothstep } from '../pixels/scalar.ts'
import type { Painting } from '../landscape/painting.ts'
import { paintHalo } from '../landscape/stars.ts'
import type { Paint } from './drawable.ts'
import type { Spot } from './spot.ts'

export const planet: Paint = (painting, spot) =>
  paintPlanet(painting, spot, { ringed: painting.random.chance(0.25), earthly: false })

export const ringedPlanet: Paint = (painting, spot) => paintPlanet(painting, spot, { ringed: true, earthly: false })

export const earth: Paint = (painting, spot) => paintPlanet(painting, spot, { ringed: false, earthly: true })

interface PlanetKind {
  readonly ringed: boolean
  readonly earthly: boolean
}

const gasColors = ['#c98a5a', '#4f83b8', '#b0563a', '#8a7ac0', '#4a9a94', '#c2637f'] as const

function paintPlanet(painting: Painting, spot: Spot, { ringed, earthly }: PlanetKind): void {
  const random = painting.random.fork(Math.round(spot.x))
  const body = spot.colors[0] ?? hex(random.pick(gasColors))
  const tilt = random.between(-0.5, 0.5)
  const skin = earthly ? earthSkin(painting, random) : gasSkin(painting, random, body, tilt)
  const radius = spot.height / 2
  const ring = {
    painting,
    spot,
    radius,
    tilt,
    flatness: random.between(0.18, 0.32),
    color: blend(body, hex('#f6e7cf'), 0.6),
  }
  paintHalo(
    painting.picture,
    spot.x,
    spot.y,
    radius * 1.5,
    earthly ? hex('#7db8ff') : blend(body, hex('#ffffff'), 0.3),
    0.24,
  )
  if (ringed) paintRing(ring, false)
  paintGlobe(painting, spot, radius, skin)
  if (ringed) paintRing(ring, true)
}

type Skin = (x: number, y: number, depth: number) => Color

function gasSkin({ noise, octaves }: Painting, random: Random, body: Color, tilt: number): Skin {
  const light = blend(body, hex('#f6e7cf'), 0.6)
  const dark = blend(body, hex('#20141c'), 0.45)
  const start = random.between(0, 60)
  const bands = random.between(11, 18)
  return (x, y) => {
    const along = x * Math.cos(tilt) + y * Math.sin(tilt)
    const across = -x * Math.sin(tilt) + y * Math.cos(tilt)
    const swirl = noise.fractal(along * 1.6 + start, across * 6, octaves)
    const band = 0.5 + 0.5 * Math.sin(across * bands + swirl * 4.4)
    return mix(mix(dark, body, clamp(band * 1.5)), light, clamp(band * 1.4 - 0.5 + swirl * 0.6))
  }
}

function earthSkin({ noise, octaves }: Painting, random: Random): Skin {
  const start = random.between(0, 60)
  return (x, y, depth) => {
    const bulge = 1.6 / (0.5 + depth)
    const land = noise.fractal(x * bulge + start, y * bulge + 3, octaves + 1)
    const sea = mix(hex('#0b2a5c'), hex('#1f6fb4'), clamp(land * 2.4 + 0.9))
    const ground = mix(hex('#3f6d3a'), hex('#c0a673'), clamp(land * 3.2 - 0.1))
    const surface = mix(sea, ground, smoothstep(0.04, 0.07, land))
    const ice = mix(surface, hex('#f2f7ff'), smoothstep(0.78, 0.9, Math.abs(y) + land * 0.2))
    const clouds = noise.fractal(x * bulge * 1.3 + start + 30, y * bulge * 1.9 + land, octaves + 1)
    return mix(ice, hex('#ffffff'), smoothstep(0.02, 0.3, clouds) * 0.85)
  }
}

function paintGlobe({ picture, light }: Painting, { x, y }: Spot, radius: number, skin: Skin): void {
  for (let row = Math.max(0, Math.floor(y - radius - 1)); row < Math.min(picture.height, y + radius + 2); row++) {
    for (
      let column = Math.max(0, Math.floor(x - radius - 1));
      column < Math.min(picture.width, x + radius + 2);
      column++
    ) {
      const dx = (column - x) / radius
      const dy = (row - y) / radius
      const alpha = clamp((1 - Math.hypot(dx, dy)) * radius + 0.5)
      if (alpha === 0) continue
      const depth = Math.sqrt(Math.max(0, 1 - dx * dx - dy * dy))
      const facing = clamp(dx * light.side * 0.62 - dy * 0.42 + depth * 0.62)
      const received = 0.02 + facing ** 0.85 * 1.12
      const rim = (1 - depth) ** 3 * facing
      const [red, green, blue] = skin(dx, dy, depth)
      const seen: Color = [red * received + rim * 0.35, green * received + rim * 0.5, blue * received + rim * 0.8]
      cover(picture, column, row, seen, alpha)
    }
  }
}

interface Ring {
  readonly painting: Painting
  readonly spot: Spot
  readonly radius: number
  readonly tilt: number
  readonly flatness: number
  readonly color: Color
}

function paintRing({ painting, spot, radius, tilt, flatness, color }: Ring, front: boolean): void {
  const { picture, noise, light } = painting
  const reach = radius * 2.25
  for (let row = Math.max(0, Math.floor(spot.y - reach)); row < Math.min(picture.height, spot.y + reach); row++) {
    for (
      let column = Math.max(0, Math.floor(spot.x - reach));
      column < Math.min(picture.width, spot.x + reach);
      column++
    ) {
      const dx = (column - spot.x) / radius
      const dy = (row - spot.y) / radius
      const along = dx * Math.cos(tilt) + dy * Math.sin(tilt)
      const across = -dx * Math.sin(tilt) + dy * Math.cos(tilt)
      if (across > 0 !== front) continue
      const distance = Math.hypot(along, across / flatness)
      if (distance < 1.3 || distance > 2.2) continue
      const gap = Math.abs(distance - 1.76) < 0.035 ? 0.15 : 1
      const grooves = 0.45 + 0.5 * noise.at(distance * 17, 3) + 0.3 * noise.at(distance * 61, 8)
      const edges = smoothstep(1.3, 1.4, distance) * smoothstep(2.2, 2.04, distance)
      const shadowed = !front && along * light.side < -0.1 && Math.abs(along) < 1.1 ? 0.35 : 1
      const seen: Color = [color[0] * shadowed, color[1] * shadowed, color[2] * shadowed]
      cover(picture, column, row, seen, clamp(grooves * edges * gap) * 0.9)
    }
  }
}
