import type { Painting, Standing } from '../landscape/painting.ts'
import type { Random } from '../pixels/random.ts'
import { lerp } from '../pixels/scalar.ts'
import type { Drawable } from './drawable.ts'
import { type Crowd, type Room, type Taken, roomOnGround } from './room.ts'

const attempts = 28

/** Tries places along the ground and keeps the one that is farthest from what already stands there. */
export function standingSpot(
  painting: Pick<Painting, 'picture' | 'light'>,
  standing: Standing,
  drawable: Drawable,
  wish: number,
  crowd: Crowd,
  random: Random,
): Room {
  const { picture } = painting
  const height = wish * standing.scale
  const half = (height * (drawable.breadth ?? 1)) / 2
  const { x, room } = freestColumn(painting, standing, half, crowd, random)
  const squeeze = room < -half * 0.5 ? 0.78 : 1
  const ground = standing.y(x)
  const depth = chooseDepth(drawable, crowd.taken, random)
  const span = drawable.place === 'water' ? picture.height * 0.1 : Math.max(0, picture.height * 0.97 - ground)
  crowd.taken.push({ left: x - half, right: x + half, top: 0, bottom: 0 })
  return {
    x,
    y: ground + span * depth,
    height: Math.min(height * squeeze * growth(drawable, depth), ground * 0.92),
    fade: standing.fade,
  }
}

function freestColumn(
  { picture, light }: Pick<Painting, 'picture' | 'light'>,
  { from, to }: Standing,
  half: number,
  { taken, behind }: Crowd,
  random: Random,
): { x: number; room: number } {
  const margin = Math.min(half * 0.8, picture.width * 0.4)
  const left = Math.max(from * picture.width, margin)
  const right = Math.min(to * picture.width, picture.width - margin)
  // The first thing stands off the middle, away from the sun; the rest find their own room.
  const preferred = light.side < 0 ? lerp(left, right, 0.66) : lerp(left, right, 0.34)
  let best = { x: preferred, room: -Infinity }
  for (let attempt = 0; attempt < attempts; attempt++) {
    const x = attempt === 0 ? preferred : lerp(left, right, random.next())
    const own = taken.length === 0 ? -Math.abs(x - preferred) : roomOnGround(taken, x - half, x + half)
    const room = own + 2 * Math.min(0, roomOnGround(behind, x - half, x + half))
    if (room > best.room) best = { x, room }
  }
  return best
}

/** How far a thing has come toward the viewer: 0 at the edge of its ground, 1 at the foot of the picture. */
function chooseDepth({ place, size }: Drawable, taken: readonly Taken[], random: Random): number {
  if (place === 'water') return random.between(-0.3, 0.5)
  if (place !== 'near') return 0
  const small = size < 0.16 || taken.length > 1
  return random.between(0, small ? 0.75 : 0.3)
}

function growth({ place }: Drawable, depth: number): number {
  if (place === 'near') return 0.9 + depth * 0.4
  return place === 'water' ? 1 + depth * 0.4 : 1
}
