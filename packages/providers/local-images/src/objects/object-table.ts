import { readData } from '../read-data.ts'
import { aurora } from './aurora.ts'
import { hotAirBalloon } from './hot-air-balloon.ts'
import { birds } from './birds.ts'
import { cactus } from './cactus.ts'
import { campfire } from './campfire.ts'
import { comet } from './comet.ts'
import { crystal } from './crystal.ts'
import type { Draw, Drawable, ObjectFacts, Paint } from './drawable.ts'
import { ferrisWheel } from './ferris-wheel.ts'
import { reeds } from './reeds.ts'
import { fireworks } from './fireworks.ts'
import { flower } from './flower.ts'
import { hedge } from './hedge.ts'
import { lighthouse } from './lighthouse.ts'
import { windTurbine, windmill } from './mills.ts'
import { moon } from './moon.ts'
import { palm } from './palm.ts'
import { pier } from './pier.ts'
import { earth, planet, ringedPlanet } from './planet.ts'
import { cherryTree, planted } from './planted-trees.ts'
import { rainbow } from './rainbow.ts'
import { type Shape, drawShapes } from './shapes.ts'
import { skyLantern } from './sky-lantern.ts'
import { volcano } from './volcano.ts'
import { waterfall } from './waterfall.ts'

/** The objects that shapes cannot describe: chance moves their parts, or they have special gradients. */
const draws: Readonly<Record<string, Draw>> = {
  'bird in flight': birds,
  cactus,
  campfire,
  'clump of reeds': reeds,
  crystal,
  'ferris wheel': ferrisWheel,
  flower,
  'hot-air balloon': hotAirBalloon,
  lighthouse,
  'palm tree': palm,
  'sky lantern': skyLantern,
  'wind turbine': windTurbine,
  windmill,
}

const paints: Readonly<Record<string, Paint>> = {
  aurora,
  'bare tree': planted('bare'),
  'blue planet': earth,
  'cherry tree': cherryTree,
  comet,
  firework: fireworks,
  hedge,
  moon,
  pier,
  pine: planted('pine'),
  planet,
  rainbow,
  'ringed planet': ringedPlanet,
  tree: planted('broadleaf'),
  volcano,
  waterfall,
}

interface ObjectRow extends ObjectFacts {
  /** If neither `draws` nor `paints` has it. */
  readonly shapes?: readonly Shape[]
  /** Colors, of which chance picks one for `*`. */
  readonly tints?: readonly string[]
}

/** Everything that `vista` can draw. Where two claim one phrase, the first has it. */
export const objectTable: readonly Drawable[] = (readData('objects') as readonly ObjectRow[]).map(toDrawable)

function toDrawable({ shapes, tints, ...facts }: ObjectRow): Drawable {
  const paint = paints[facts.name]
  if (paint) return { ...facts, paint }
  const draw: Draw | undefined = draws[facts.name] ?? (shapes && ((brush) => drawShapes(brush, shapes, tints)))
  if (!draw) throw new Error(`data/objects.json has no shapes of "${facts.name}"`)
  return { ...facts, draw }
}

const byName = new Map(objectTable.map((object) => [object.name, object]))

/** The object of that name. */
export function objectNamed(name: string): Drawable | undefined {
  return byName.get(name)
}
