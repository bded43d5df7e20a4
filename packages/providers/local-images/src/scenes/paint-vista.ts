import type { ImageJob, PaintedImage } from '../image-job.ts'
import { type Light, lightFor } from '../landscape/light.ts'
import { paintMilkyWay } from '../landscape/milky-way.ts'
import type { Painting, ScenePlan, Stage } from '../landscape/painting.ts'
import { paintLightning, paintPrecipitation } from '../landscape/precipitation.ts'
import { paintSky } from '../landscape/sky.ts'
import { paintStars } from '../landscape/stars.ts'
import { paintLuminary } from '../landscape/luminary.ts'
import { paintWater } from '../landscape/water.ts'
import { objectNamed } from '../objects/object-table.ts'
import type { Place } from '../objects/drawable.ts'
import { createPlacer } from '../objects/placer.ts'
import { noiseFrom } from '../pixels/noise.ts'
import { type Random, randomFrom } from '../pixels/random.ts'
import { careFor, finished, pictureFor } from '../pixels/studio.ts'
import type { SceneName } from '../prompt/meaning.ts'
import { readPrompt } from '../prompt/read-prompt.ts'
import type { Reading } from '../prompt/reading.ts'
import { chooseSeed } from '../seed.ts'
import { describeVista } from './describe-vista.ts'
import { leftOutOfVista } from './left-out.ts'
import { sceneTable } from './scene-table.ts'
import { waterFor, waterlineFor } from './scene-water.ts'

/** Paints the scene that a prompt describes, and says what of it is missing. */
export function paintVista(job: ImageJob): PaintedImage {
  const seed = chooseSeed(job.prompt, job.seed)
  const random = randomFrom(seed)
  const reading = withImplied(readPrompt(job.prompt))
  const painting = paintingFor(job, reading, seed, random)
  const unplaced = paintScene(painting)
  const { mood } = reading
  const touch = {
    saturation: reading.traits.has('monochrome') ? 0 : mood === 'gloomy' ? 0.78 : mood === 'happy' ? 1.1 : 1,
  }
  return {
    pixels: finished(painting.picture, job, random.fork(77), touch),
    description: describeVista(painting, unplaced),
    leftOut: leftOutOfVista(reading, painting.scene, unplaced),
  }
}

function paintingFor(job: ImageJob, reading: Reading, seed: number, random: Random): Painting {
  const picture = pictureFor(job)
  const scene = reading.scene ?? sceneByChance(reading, random)
  // In space there is no hour and no weather, and the sun is white.
  const seen: Reading = scene === 'space' ? { ...reading, time: 'day', weather: 'clear' } : reading
  const light: Light = lightFor(seen, random)
  const { horizon } = sceneTable[scene]
  return {
    picture,
    reading,
    scene,
    light,
    noise: noiseFrom(seed ^ 0x51ed),
    random,
    horizon: Math.round(picture.height * (horizon + random.between(-0.02, 0.02))),
    ...careFor(job),
    snowy: reading.weather === 'snow' || reading.season === 'winter',
  }
}

/** Adds the implied meanings of a word: the tropics have palms. */
function withImplied(reading: Reading): Reading {
  const { traits, subjects, scene } = reading
  if (!traits.has('tropical') || scene !== 'sea' || subjects.some(({ object }) => object === 'palm tree'))
    return reading
  return { ...reading, subjects: [...subjects, { object: 'palm tree', text: 'palm trees', count: 2, colors: [] }] }
}

/** A prompt that names no place gets the one that suits what it does name. */
function sceneByChance({ subjects, colors, time }: Reading, random: Random): SceneName {
  const afloat = subjects.some(({ object }) => objectNamed(object)?.place === 'water')
  if (afloat) return 'sea'
  if (subjects.length > 0) return 'meadow'
  return random.pick(
    colors.length > 0 || time ? ['mountain', 'sea', 'meadow'] : ['mountain', 'sea', 'meadow', 'forest'],
  )
}

/** Paints from the farthest to the nearest, and gives the names of objects that found no place. */
function paintScene(painting: Painting): ReadonlySet<string> {
  const { picture, light, reading, horizon, random } = painting
  const scene = sceneTable[painting.scene]
  const plan = planFor(painting)
  const placer = createPlacer(painting)
  if (!scene.airless) {
    paintSky(painting)
    if ((light.night || reading.traits.has('stars')) && light.sunStrength > 0) {
      paintStars(picture, random, { count: reading.traits.has('stars') ? 1300 : 620, bottom: horizon, airless: false })
    }
    if (light.night && reading.traits.has('galaxy')) paintMilkyWay(painting)
    paintLuminary(painting)
    placer.place('heaven', {})
    if (light.weather === 'storm') paintLightning(painting)
  }
  const far = scene.paintFar(painting, plan)
  if (scene.airless) placer.place('heaven', {})
  placer.place('far', far)
  placer.place('air', far)
  const water = plan.waterline === undefined ? undefined : waterFor(painting, plan.waterline)
  if (water) paintWater(painting, water)
  const afloat: Stage = water ? { water: floatingOn(painting, water.top) } : {}
  placer.place('water', afloat)
  const near = scene.paintNear(painting, plan)
  placer.place('near', near)
  if (!far.far && near.far) placer.place('far', near)
  if (!scene.airless) paintPrecipitation(painting)
  return placer.unplaced()
}

function planFor(painting: Painting): ScenePlan {
  const asked = (place: Place) => painting.reading.subjects.some(({ object }) => objectNamed(object)?.place === place)
  const byWater = painting.reading.subjects.some(({ object }) => objectNamed(object)?.byWater)
  const waterline = waterlineFor(painting, byWater || asked('water'))
  return {
    ...(waterline !== undefined && { waterline }),
    peopledNear: asked('near'),
    peopledFar: asked('far'),
  }
}

function floatingOn({ picture }: Painting, top: number): NonNullable<Stage['water']> {
  const depth = picture.height - top
  return { y: () => top + depth * 0.2, from: 0.14, to: 0.86, scale: 1, fade: 0.05 }
}
