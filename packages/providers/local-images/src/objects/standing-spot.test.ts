import { describe, expect, test } from 'vitest'
import { lightFor } from '../landscape/light.ts'
import { blankPicture } from '../pixels/picture.ts'
import { randomFrom } from '../pixels/random.ts'
import { readPrompt } from '../prompt/read-prompt.ts'
import type { Drawable } from './drawable.ts'
import type { Crowd } from './room.ts'
import { standingSpot } from './standing-spot.ts'

const palm: Drawable = { name: 'palm', words: [], place: 'near', size: 0.5, breadth: 0.6, draw() {} }
const ground = { y: () => 80, from: 0, to: 1, scale: 1, fade: 0 }

function spotAmong(crowd: Crowd, seed: number) {
  const painting = { picture: blankPicture(200, 100), light: lightFor(readPrompt('day'), randomFrom(seed)) }
  return standingSpot(painting, ground, palm, 50, crowd, randomFrom(seed))
}

describe('standingSpot', () => {
  test.each([1, 2, 3, 4, 5, 6])(
    'standingSpot keeps a near thing from hiding what stands behind it, seed %i',
    (seed) => {
      const alone = spotAmong({ taken: [], behind: [] }, seed)
      const boat = { left: alone.x - 20, right: alone.x + 20, top: 0, bottom: 0 }
      const { x } = spotAmong({ taken: [], behind: [boat] }, seed)
      expect(Math.abs(x - alone.x)).toBeGreaterThan(25)
    },
  )

  test('standingSpot stands clear of what is there already, and takes its place among it', () => {
    const taken = [{ left: 0, right: 90, top: 0, bottom: 0 }]
    const { x } = spotAmong({ taken, behind: [] }, 1)
    expect(x).toBeGreaterThan(105)
    expect(taken).toHaveLength(2)
  })
})
