import type { Draw } from './drawable.ts'

export const birds: Draw = ({ line, pen, random, own, side, shape }) => {
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
}
