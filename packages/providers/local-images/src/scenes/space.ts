import { type Color, blend, hex, mix } from '../pixels/color.ts'
import { cover } from '../pixels/picture.ts'
import { createRamp } from '../pixels/ramp.ts'
import { bell, clamp, smoothstep } from '../pixels/scalar.ts'
import type { Painting, Scene, Stage } from '../landscape/painting.ts'
import { paintHalo, paintStars } from '../landscape/stars.ts'

const nebulaColors = ['#7a2fd0', '#c2377f', '#1f7fd0', '#d0702f', '#1f9ed0', '#2fb0a8', '#f08a4a'] as const

/** Nebulae and stars; a cratered ground where something is to stand on it. */
export const space: Scene = {
  horizon: 1,
  airless: true,
  paintFar(painting): Stage {
    paintNebula(painting)
    if (painting.reading.traits.has('galaxy')) paintGalaxy(painting)
    paintStars(painting.picture, painting.random, { count: 2300, bottom: painting.picture.height, airless: true })
    return {}
  },
  paintNear(painting, plan): Stage {
    if (!plan.peopledNear && !plan.peopledFar && !painting.reading.traits.has('lunar')) return {}
    const edge = paintLunarGround(painting)
    const standing = { y: (x: number) => edge(x) + painting.picture.unit * 0.06, from: 0.1, to: 0.9, scale: 1, fade: 0 }
    return { near: standing, far: standing }
  },
}

function paintNebula(painting: Painting): void {
  const { picture, random, octaves, reading } = painting
  const own = reading.parts.get('nebula') ?? reading.parts.get('sky') ?? reading.colors
  const first = own[0] ?? hex(random.pick(nebulaColors))
  const second = own[1] ?? (own[0] ? blend(own[0], hex('#3f6fe0'), 0.45) : hex(random.pick(nebulaColors)))
  const glow = createRamp([
    [0, hex('#02030a')],
    [0.3, blend(hex('#050716'), second, 0.2)],
    [0.55, blend(hex('#0a0a20'), first, 0.6)],
    [0.8, first],
    [0.94, blend(second, hex('#ffffff'), 0.35)],
    [1, hex('#fff6ea')],
  ])
  const field = nebulaField(painting, random.between(-0.7, 0.7), random.between(0, 50), octaves)
  for (let y = 0; y < picture.height; y++) {
    for (let x = 0; x < picture.width; x++) {
      const { density, hue } = field(x, y)
      const [red, green, blue] = mix(glow.at(density), second, clamp(hue * 0.55) * density)
      const at = (y * picture.width + x) * 3
      picture.pixels[at] = red
      picture.pixels[at + 1] = green
      picture.pixels[at + 2] = blue
    }
  }
}

/** Gas in a slanting band, torn by dust. Worked out at half the size: gas has no edges. */
function nebulaField({ picture, noise }: Painting, turn: number, start: number, octaves: number) {
  const columns = Math.ceil(picture.width / 2) + 2
  const rows = Math.ceil(picture.height / 2) + 2
  const densities = new Float32Array(columns * rows)
  const hues = new Float32Array(columns * rows)
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const across = (column * 2 - picture.width / 2) / picture.unit
      const down = (row * 2 - picture.height / 2) / picture.unit
      const u = across * Math.cos(turn) - down * Math.sin(turn)
      const v = across * Math.sin(turn) + down * Math.cos(turn)
      const warp = noise.fractal(u * 2 + start, v * 2 + start, 4)
      const other = noise.fractal(u * 2 + 5 + start, v * 2 + 9, 4)
      const gas = noise.fractal(u * 2.2 + warp * 1.5 + start, v * 2.5 + other * 1.5, octaves + 1)
      const dust = noise.ridged(u * 2.8 + other, v * 3.2 + warp + start, octaves)
      const band = bell(v + warp * 0.26, 0, 0.42)
      const at = row * columns + column
      densities[at] = 0.9 * clamp((0.3 + gas * 0.98) * (0.34 + 0.86 * band) - (dust - 0.55) * 0.55 * band)
      hues[at] = clamp(0.5 + other * 1.7)
    }
  }
  const point = { density: 0, hue: 0 }
  return (x: number, y: number) => {
    const column = x >> 1
    const row = y >> 1
    const at = row * columns + column
    const shareX = (x & 1) / 2
    const shareY = (y & 1) / 2
    const between = (of: Float32Array) => {
      const upper = of[at]! + (of[at + 1]! - of[at]!) * shareX
      const lower = of[at + columns]! + (of[at + columns + 1]! - of[at + columns]!) * shareX
      return upper + (lower - upper) * shareY
    }
    point.density = between(densities)
    point.hue = between(hues)
    return point
  }
}

/** A spiral galaxy, tilted, brightest at its heart. */
function paintGalaxy({ picture, noise, random, reading }: Painting): void {
  const centerX = picture.width * random.between(0.42, 0.58)
  const centerY = picture.height * random.between(0.4, 0.55)
  const radius = picture.unit * 0.46
  const turn = random.between(-0.6, 0.6)
  const flat = random.between(0.42, 0.6)
  const arms = reading.colors[0] ?? hex('#9db8ff')
  for (let y = 0; y < picture.height; y++) {
    for (let x = 0; x < picture.width; x++) {
      const dx = (x - centerX) / radius
      const dy = (y - centerY) / radius
      const u = dx * Math.cos(turn) + dy * Math.sin(turn)
      const v = (-dx * Math.sin(turn) + dy * Math.cos(turn)) / flat
      const distance = Math.hypot(u, v)
      if (distance > 1.3) continue
      const angle = Math.atan2(v, u) + Math.log(distance + 0.06) * 2.6
      const clumps = noise.fractal(u * 7, v * 7, 4)
      const arm = (0.5 + 0.5 * Math.cos(angle * 2 + clumps * 1.4)) ** 1.7
      const body =
        arm * Math.exp(-distance * 2.6) * (0.7 + clumps * 0.9) * 1.5 + Math.exp(-distance * distance * 60) * 1.2
      const color = mix(arms, hex('#ffe2b8'), smoothstep(0.5, 0, distance))
      cover(picture, x, y, mix(color, hex('#ffffff'), clamp(body - 0.8)), clamp(body) * smoothstep(1.3, 0.8, distance))
    }
  }
  paintHalo(picture, centerX, centerY, radius * 0.5, hex('#fff0d0'), 0.5)
}

function paintLunarGround(painting: Painting): (x: number) => number {
  const { picture, noise, light, reading } = painting
  const own = reading.parts.get('ground')?.[0]
  const dust: Color = own ?? (reading.traits.has('martian') ? hex('#b9683f') : hex('#9a9aa4'))
  const { unit } = picture
  const edge = (x: number) => picture.height * 0.76 - unit * 0.06 * noise.ridged((x / unit) * 1.7, 4, 5) + unit * 0.03
  for (let x = 0; x < picture.width; x++) {
    const start = edge(x)
    for (let y = Math.max(0, Math.floor(start)); y < picture.height; y++) {
      const depth = 1 / (0.2 + ((y - start) / unit) * 2.4)
      const across = ((x - picture.width / 2) / unit) * depth
      const height = (u: number, v: number) => craters(noise, u, v) + noise.fractal(u * 2.2, v * 2.2, 4) * 0.1
      const slope = (height(across + 0.02 * light.side, depth * 2) - height(across, depth * 2)) / 0.02
      const tone = clamp(0.46 - slope * 0.62 + noise.fractal((x / unit) * 60, (y / unit) * 80, 2) * 0.16)
      cover(picture, x, y, mix(mix(hex('#15161d'), dust, 0.06), dust, tone), y < start ? clamp(1 - (start - y)) : 1)
    }
  }
  return edge
}

/** Round hollows with raised rims, one chance in each cell of a grid. */
function craters(noise: Painting['noise'], u: number, v: number): number {
  let height = 0
  for (let cellX = Math.floor(u) - 1; cellX <= Math.floor(u) + 1; cellX++) {
    for (let cellY = Math.floor(v) - 1; cellY <= Math.floor(v) + 1; cellY++) {
      const size = 0.12 + 0.4 * Math.abs(noise.at(cellX * 1.7 + 0.3, cellY * 1.3 + 0.6))
      const centerX = cellX + 0.5 + noise.at(cellX * 2.3 + 0.5, cellY * 3.1) * 0.4
      const centerY = cellY + 0.5 + noise.at(cellX * 3.7, cellY * 2.9 + 0.5) * 0.4
      const distance = Math.hypot(u - centerX, v - centerY) / size
      if (distance < 1.5)
        height += size * (distance < 1 ? (distance * distance - 1) * 0.7 + 0.12 : (1.5 - distance) ** 2 * 0.48)
    }
  }
  return height
}
