import { type Color, hex, mix } from '../pixels/color.ts'
import { clamp, smoothstep } from '../pixels/scalar.ts'
import { paintBank } from '../landscape/bank.ts'
import { foregroundEdge } from '../landscape/foreground.ts'
import { paintMist } from '../landscape/mist.ts'
import type { Painting, Scene, Stage } from '../landscape/painting.ts'
import { paintTerrain } from '../landscape/paint-terrain.ts'
import { paintPath } from '../landscape/path.ts'
import type { Terrain } from '../landscape/terrain.ts'

const eye = 0.24

/** Dunes with sharp crests, or mesas of layered rock. */
export const desert: Scene = {
  horizon: 0.48,
  paintFar(painting, plan): Stage {
    const { picture, horizon, light, reading } = painting
    const near = plan.waterline === undefined ? 0.5 : (eye * picture.unit) / (plan.waterline - horizon)
    const canyon = reading.traits.has('canyon')
    const ground = paintTerrain(painting, canyon ? mesas(painting, near) : dunes(painting, near))
    paintMist(
      painting,
      horizon - picture.unit * 0.08,
      horizon + picture.unit * 0.05,
      light.haze,
      0.2 * light.hazeStrength,
    )
    const z = Math.max(near * 1.05, 1.7)
    return { far: { y: (x) => ground.rowOf(ground.xAt(x, z), z), from: 0.14, to: 0.86, scale: 1, fade: 0.06 } }
  },
  paintNear(painting, plan): Stage {
    const { picture } = painting
    const edge = foregroundEdge(painting, plan)
    const { light, dark } = sandColors(painting)
    paintBank(painting, { edge, color: light, shadow: dark, texture: 0.22 })
    if (painting.reading.traits.has('path') && plan.waterline === undefined)
      paintPath(painting, { edge, color: mix(light, hex('#fff1dc'), 0.4) })
    return { near: { y: (x) => edge(x) + picture.unit * 0.06, from: 0.08, to: 0.92, scale: 1, fade: 0 } }
  },
}

function sandColors({ reading, snowy }: Painting): { light: Color; dark: Color } {
  const own = reading.parts.get('ground')?.[0]
  if (snowy) return { light: hex('#eef2f6'), dark: hex('#c7b39a') }
  if (own) return { light: own, dark: mix(own, hex('#3a2018'), 0.5) }
  if (reading.traits.has('canyon')) return { light: hex('#d08a5a'), dark: hex('#8a4a30') }
  return { light: hex('#e8b578'), dark: hex('#a8683c') }
}

function dunes(painting: Painting, near: number): Terrain {
  const { noise, random } = painting
  const start = random.between(0, 80)
  const sand = sandColors(painting)
  return {
    eye,
    near,
    far: 20,
    fading: 0.055,
    grain: 0.05,
    grainSize: 60,
    height(x, z) {
      const bend = noise.fractal(x * 0.34 + start, z * 0.3, 2) * 1.7
      const phase = z * 0.62 + x * 0.42 + bend * 1.5
      // A dune climbs slowly on the windward side and drops at once on the other.
      const along = phase - Math.floor(phase)
      const profile = along < 0.74 ? smoothstep(0, 0.74, along) ** 1.3 : 1 - smoothstep(0.74, 1, along)
      const size = 0.34 + noise.fractal(x * 0.22 + start, z * 0.22 + 9, 2) * 0.5
      return profile * Math.max(0.05, size) * smoothstep(near, near + 2.2, z) * (1 + z * 0.035)
    },
    color({ x, z, height }) {
      const ripple = Math.sin((z * 26 + x * 9 + noise.fractal(x * 2, z * 2, 2) * 9) * (2.4 / (0.6 + z)))
      const tone = 0.74 + noise.fractal(x * 1.2, z * 1.2, 2) * 0.35 + height * 0.12 + ripple * 0.05 * clamp(3 / z)
      return mix(sand.dark, sand.light, clamp(tone))
    },
  }
}

function mesas(painting: Painting, near: number): Terrain {
  const { noise, random, octaves } = painting
  const start = random.between(0, 80)
  const sand = sandColors(painting)
  const layers = ['#c4683e', '#a94f34', '#d9905a', '#8f4230', '#cc7a4a'].map(hex)
  return {
    eye,
    near,
    far: 24,
    fading: 0.05,
    grain: 0.2,
    grainSize: 26,
    height(x, z) {
      const mass = noise.fractal(x * 0.24 + start, z * 0.2, 3, 0.45) + 0.1 * noise.fractal(x * 1.5, z * 1.5, octaves)
      const butte = smoothstep(0.1, 0.135, mass) * 0.85 + smoothstep(0.2, 0.225, mass) * 0.65
      const scree = smoothstep(-0.06, 0.11, mass) * 0.24
      return (butte + scree) * smoothstep(near + 1.6, near + 4.4, z) * (0.75 + z * 0.06)
    },
    color({ x, z, height, level }) {
      const wave = height * 7 + noise.fractal(x * 0.8, z * 0.8, 3) * 1.6
      const layer = layers[Math.abs(Math.floor(wave)) % layers.length] ?? sand.light
      const next = layers[Math.abs(Math.floor(wave) + 1) % layers.length] ?? sand.light
      const cliff = mix(layer, next, smoothstep(0.6, 1, wave - Math.floor(wave)))
      const scrub = smoothstep(0.2, 0.4, noise.fractal(x * 6, z * 6, 3)) * smoothstep(0.2, 0.02, height)
      const flat = mix(
        mix(sand.dark, sand.light, clamp(0.7 + noise.fractal(x * 3, z * 3, 3))),
        hex('#6f7a48'),
        scrub * 0.7,
      )
      return mix(cliff, flat, smoothstep(0.55, 0.85, level))
    },
  }
}
