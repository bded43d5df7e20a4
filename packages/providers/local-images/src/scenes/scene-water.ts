import { type Color, hex } from '../pixels/color.ts'
import type { Painting } from '../landscape/painting.ts'
import type { WaterOptions } from '../landscape/water.ts'
import type { SceneName } from '../prompt/meaning.ts'

/** How far below the horizon water begins, in shares of the shorter side: the nearer the shore, the lower. */
const shores: Readonly<Record<Exclude<SceneName, 'space'>, number>> = {
  mountain: 0.055,
  sea: 0,
  city: 0.002,
  forest: 0.06,
  desert: 0.1,
  meadow: 0.1,
}

/** The row at which water begins, where the scene has any or something is to float. */
export function waterlineFor(
  { scene, reading, horizon, picture, random }: Painting,
  afloat: boolean,
): number | undefined {
  if (scene === 'space') return undefined
  const always = scene === 'sea' || scene === 'city'
  const lake =
    reading.traits.has('water') || (scene === 'mountain' && !reading.traits.has('path') && random.chance(0.45))
  return always || lake || afloat ? Math.round(horizon + picture.unit * shores[scene]) : undefined
}

/** How the water of a scene moves and what color it has. */
export function waterFor({ scene, reading, light }: Painting, waterline: number): WaterOptions {
  const wild = light.weather === 'storm' ? 1.5 : reading.traits.has('waves') ? 1.15 : 0
  const still = reading.mood === 'calm' || reading.mood === 'dreamy'
  const usual = scene === 'sea' ? (still ? 0.4 : 0.75) : scene === 'city' ? 0.5 : still ? 0.18 : 0.34
  return {
    top: waterline,
    roughness: Math.max(wild, usual),
    tint: chooseTint(scene, reading),
    depth: scene === 'sea' ? 0.66 : 0.5,
  }
}

function chooseTint(scene: SceneName, { parts, traits, weather }: Painting['reading']): Color {
  const own = parts.get('water')?.[0]
  if (own) return own
  if (weather === 'storm') return hex('#33444e')
  if (traits.has('tropical')) return hex('#13a3ac')
  return hex(
    {
      sea: '#14608a',
      city: '#1c3450',
      mountain: '#1f5a70',
      forest: '#2c4a3f',
      desert: '#2a8088',
      meadow: '#2f6a86',
      space: '#000000',
    }[scene],
  )
}
