import type { Painting } from '../landscape/painting.ts'
import type { Random } from '../pixels/random.ts'
import { clamp } from '../pixels/scalar.ts'
import type { Drawable } from './drawable.ts'
import { type Room, type Taken, roomInAir } from './room.ts'

const attempts = 30

/** Tries places in the sky and keeps the one that is farthest from what already hangs there. */
export function flyingSpot(
  painting: Painting,
  drawable: Drawable,
  height: number,
  index: number,
  taken: Taken[],
  random: Random,
): Room {
  const half = (height * (drawable.breadth ?? 1)) / 2
  const flock = isFlock(drawable)
  let best: Aloft | undefined
  let bestRoom = -Infinity
  for (let attempt = 0; attempt < attempts; attempt++) {
    const spot = tryOut(painting, drawable, { half, height, random, first: attempt === 0 && index === 0 })
    const room = roomInAir(taken, boxAround(spot, half, height))
    if (!best || room > bestRoom) {
      best = spot
      bestRoom = room
    }
    if (attempt === 0 && taken.length === 0 && !flock) break
  }
  const { x, y } = best!
  taken.push(boxAround({ x, y }, half, height))
  const distant = flock || drawable.place === 'heaven' ? 0 : random.between(0.02, 0.2)
  const fade = painting.scene === 'space' ? 0 : distant + (flock ? 0.12 : 0.04)
  return { x, y, height: height * (1 - distant), fade }
}

interface Aloft {
  readonly x: number
  readonly y: number
}

interface Trial {
  readonly half: number
  readonly height: number
  readonly random: Random
  /** The first try for the first of its kind takes the place that suits the picture best. */
  readonly first: boolean
}

function tryOut({ picture, light, horizon, scene }: Painting, drawable: Drawable, trial: Trial): Aloft {
  const { half, height, random, first } = trial
  const airless = scene === 'space'
  const sky = airless ? picture.height * 0.8 : Math.min(horizon, picture.height)
  const middle = picture.width / 2
  const across = chooseAcross(drawable, light.side, random, first)
  const up = heightInSky(drawable, airless, random)
  return {
    x: clamp(across * picture.width, Math.min(half, middle), Math.max(picture.width - half, middle)),
    y: clamp(up * sky, Math.min(height * 0.66, sky * 0.5), Math.max(sky - height * 0.6, sky * 0.5)),
  }
}

/** A share of the width: what flies keeps away from the sun, and the moon stands where the light comes from. */
function chooseAcross(drawable: Drawable, lightSide: number, random: Random, first: boolean): number {
  const side = drawable.name === 'moon' ? lightSide : -lightSide
  if (isFlock(drawable)) return 0.5 + side * 0.14 + random.between(-0.22, 0.22)
  return first ? 0.5 + side * 0.17 : random.between(0.1, 0.9)
}

/** A share of the sky, from the top down. */
function heightInSky(drawable: Drawable, airless: boolean, random: Random): number {
  if (isFlock(drawable)) return random.between(0.28, 0.62)
  if (airless) return random.between(0.28, 0.74)
  return drawable.place === 'heaven' ? random.between(0.14, 0.44) : random.between(0.16, 0.66)
}

function isFlock({ size }: Drawable): boolean {
  return size < 0.05
}

function boxAround({ x, y }: Aloft, half: number, height: number): Taken {
  return { left: x - half, right: x + half, top: y - height / 2, bottom: y + height / 2 }
}
