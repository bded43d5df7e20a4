import type { DrawnObject } from './drawable.ts'

export const birds: DrawnObject = {
  name: 'bird in flight',
  plural: 'birds in flight',
  words: ['bird', 'gull', 'seagull', 'goose', 'swallow', 'migrating bird'],
  groups: ['flock', 'flock of bird', 'flock of gull'],
  place: 'air',
  size: 0.028,
  breadth: 2.4,
  flock: 11,
  draw({ line, pen, random, own, side, shape }) {
    const color = own('#20242f')
    const beat = random.between(-0.25, 0.5)
    pen.rotate(random.between(-0.15, 0.15))
    for (const wing of [-1, 1]) {
      shape(color, -1, 1, (path) => {
        path.moveTo(0, 0.12)
        path.quadraticCurveTo(wing * 0.45, -0.36 - beat * 0.4, wing * 1.1, -0.12 - beat)
        path.quadraticCurveTo(wing * 0.5, -0.12 - beat * 0.3, 0, 0.3)
      })
    }
    line(color, 0.16, [-side * 0.16, 0.26], [side * 0.26, 0.14])
  },
}
