import { foliage } from '../landscape/foliage.ts'
import { drawOver } from '../pixels/picture.ts'
import type { Paint } from './drawable.ts'

export const hedge: Paint = (painting, spot) => {
  const random = painting.random.fork(Math.round(spot.x))
  drawOver(painting.picture, (pen) => {
    const leaves = foliage(painting, 'broadleaf').leaves
    for (let leaf = 0; leaf < 420; leaf++) {
      const turn = random.between(Math.PI, Math.PI * 2)
      const out = Math.sqrt(random.next())
      const x = spot.x + Math.cos(turn) * out * spot.height * 0.85
      const y = spot.y + Math.sin(turn) * out * spot.height
      const up = -Math.sin(turn) * out
      const [red, green, blue] =
        spot.colors[0] && random.chance(0.3) ? spot.colors[0] : (leaves[leaf % leaves.length] ?? leaves[0])
      const tone = (0.35 + 0.65 * up) * 255 * (painting.light.night ? 0.35 : 0.9)
      pen.fillStyle = `rgb(${red * tone},${green * tone},${blue * tone})`
      pen.beginPath()
      pen.ellipse(x, y, spot.height * 0.05, spot.height * 0.032, turn, 0, Math.PI * 2)
      pen.fill()
    }
  })
}
