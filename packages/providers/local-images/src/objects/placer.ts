import type { Painting, Stage } from '../landscape/painting.ts'
import { clamp, lerp } from '../pixels/scalar.ts'
import type { Subject } from '../prompt/subject.ts'
import { phraseKey } from '../prompt/words.ts'
import { drawObject } from './draw-object.ts'
import type { Drawable, Place } from './drawable.ts'
import type { Spot } from './spot.ts'
import { objectNamed } from './object-table.ts'
import { flyingSpot } from './flying-spot.ts'
import type { Crowd, Taken } from './room.ts'
import { standingSpot } from './standing-spot.ts'

/** Finds room for the objects of a prompt, and draws them there. */
export interface Placer {
  /** Draws everything that belongs in a place, where the stage has that place. */
  place(place: Place, stage: Stage): void
  /** The names of objects that found no place. */
  unplaced(): ReadonlySet<string>
}

interface Wanted {
  readonly drawable: Drawable
  readonly subject: Subject
  readonly count: number
}

const most: Readonly<Record<Place, number>> = { heaven: 6, air: 24, far: 6, near: 24, water: 12 }

export function createPlacer(painting: Painting): Placer {
  const wanted = painting.reading.subjects.flatMap((subject): Wanted[] => {
    const drawable = objectNamed(subject.object)
    return drawable ? [{ drawable, subject, count: chooseCount(drawable, subject) }] : []
  })
  const waiting = new Set(wanted.filter((want) => !isScenery(want, painting)).map(({ drawable }) => drawable.name))
  // The sky is one room, and so is what stands on the far bank or floats before it.
  const aloft: Taken[] = []
  const distant: Taken[] = []
  const taken: Readonly<Record<Place, Taken[]>> = { heaven: aloft, air: aloft, far: distant, water: distant, near: [] }
  const crowdAt = (place: Place): Crowd => ({ taken: taken[place], behind: place === 'near' ? distant : [] })
  return {
    place(place, stage) {
      const here = wanted.filter(({ drawable }) => drawable.place === place && waiting.has(drawable.name))
      const spots = here.flatMap((want) => spotsFor(painting, place, stage, want, crowdAt(place), wanted))
      for (const { drawable } of spots) waiting.delete(drawable.name)
      for (const { drawable, spot } of spots.toSorted((a, b) => a.spot.y - b.spot.y))
        drawObject(painting, drawable, spot)
    },
    unplaced: () => waiting,
  }
}

/** `pines` in a wood, `flowers` on a meadow: the scene is full of them already. */
function isScenery({ drawable, subject }: Wanted, { scene }: Painting): boolean {
  return subject.count === undefined && isPlural(subject.text) && drawable.abounds?.includes(scene) === true
}

function isPlural(text: string): boolean {
  return phraseKey(text) !== text
}

function chooseCount(drawable: Drawable, { count, text }: Subject): number {
  const group = drawable.groups?.some((words) => phraseKey(words) === phraseKey(text)) === true
  if (group) return drawable.flock ?? 1
  return Math.min(most[drawable.place], count ?? (isPlural(text) ? (drawable.flock ?? 1) : 1))
}

interface PlacedSpot {
  readonly drawable: Drawable
  readonly spot: Spot
}

function spotsFor(
  painting: Painting,
  place: Place,
  stage: Stage,
  want: Wanted,
  { taken, behind }: Crowd,
  wanted: readonly Wanted[],
): PlacedSpot[] {
  const random = painting.random.fork(want.drawable.name.length * 31 + want.drawable.words.length)
  const standing =
    place === 'far' ? stage.far : place === 'near' ? stage.near : place === 'water' ? stage.water : undefined
  if (!standing && place !== 'air' && place !== 'heaven') return []
  const { drawable, subject, count } = want
  return Array.from({ length: count }, (_, index) => {
    const alone = wanted.length === 1 && count === 1 ? prominence(drawable) : 1
    const crowd = count > 1 ? lerp(1, 0.62, clamp((count - 1) / 10)) : 1
    const height = painting.picture.unit * drawable.size * alone * crowd * (count > 1 ? random.between(0.72, 1.05) : 1)
    const spot = standing
      ? standingSpot(painting, standing, drawable, height, { taken, behind }, random)
      : flyingSpot(painting, drawable, height, index, taken, random)
    return { drawable, spot: { ...spot, colors: subject.colors } }
  })
}

/** An object that is alone in a picture is its subject: small things grow, large ones stay. */
function prominence({ size, breadth = 1, place }: Drawable): number {
  const extent = size * Math.max(1, breadth * 0.7)
  // Objects that are far off or afloat would lose their place in the perspective if they grew as much as the rest.
  const limit = size < 0.05 ? 1.4 : place === 'far' ? 1.45 : place === 'water' ? 1.3 : 1.75
  return clamp(0.3 / extent, 1, limit)
}
