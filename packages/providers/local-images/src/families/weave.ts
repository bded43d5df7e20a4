import { type Color, mix, scaled } from '../pixels/color.ts'
import { clamp } from '../pixels/scalar.ts'
import type { Random } from '../pixels/random.ts'
import { fillEach } from './flood.ts'
import type { Family } from './family.ts'

/** Cloth: a sett of colored threads, woven over and under. */
export const weave: Family = {
  name: 'woven plaid',
  words:
    'plaid, tartan, weave, woven, fabric, cloth, textile, gingham, knit, linen, blanket, quilt, thread, check pattern',
  moods: ['calm', 'gloomy', 'happy'],
  paint({ picture, palette, random, noise }) {
    const threads = 132
    const sett = chooseSett(random, [palette.ground, ...palette.inks])
    const weft = random.chance(0.7) ? sett : chooseSett(random, [palette.ground, ...palette.inks])
    fillEach(picture, (x, y) => {
      const slub = noise.fractal(x * 3, y * 3, 2) * 0.0022
      const u = (x + slub) * threads
      const v = (y + slub) * threads
      const column = Math.floor(u)
      const row = Math.floor(v)
      // A twill: each row passes over two and under two, one thread on from the last.
      const warpOnTop = (((column + row) % 4) + 4) % 4 < 2
      const along = warpOnTop ? u - column : v - row
      const round = 0.7 + 0.42 * Math.sin(Math.PI * along)
      const color = warpOnTop ? threadAt(sett, column) : threadAt(weft, row)
      const fiber = 0.07 * noise.at(warpOnTop ? u * 1.4 : u * 0.2, warpOnTop ? v * 0.2 : v * 1.4)
      return mix(scaled(color, clamp(round + fiber, 0, 1.2)), [0, 0, 0], 0.03)
    })
  },
}

/** Bands of threads, mirrored at both ends as in a tartan. */
function chooseSett(random: Random, colors: readonly Color[]): Color[] {
  const bands: Color[] = []
  const count = 5 + random.index(3)
  for (let band = 0; band < count; band++) {
    const color = colors[random.index(colors.length)] ?? colors[0]!
    const width = random.pick([2, 3, 8, 10, 14])
    for (let thread = 0; thread < width; thread++) bands.push(color)
  }
  return [...bands, ...bands.toReversed()]
}

function threadAt(sett: readonly Color[], thread: number): Color {
  return sett[((thread % sett.length) + sett.length) % sett.length]!
}
