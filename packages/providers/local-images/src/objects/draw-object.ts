import type { Painting } from '../landscape/painting.ts'
import { boxOn, drawOver } from '../pixels/picture.ts'
import { bedIn } from './bed-in.ts'
import { brushAt } from './brush-at.ts'
import type { Drawable } from './drawable.ts'
import type { Spot } from './spot.ts'

export function drawObject(painting: Painting, drawable: Drawable, spot: Spot): void {
  if ('paint' in drawable) return drawable.paint(painting, spot)
  const { picture } = painting
  // Room for what reaches beyond the thing itself: its light, its smoke, its reflection.
  const reach = spot.height * Math.max(2.7, (drawable.breadth ?? 1) * 2.4) + 8
  const box = boxOn(picture, spot.x - reach, spot.y - spot.height * 3, spot.x + reach, spot.y + spot.height * 2.4)
  const random = painting.random.fork(Math.round(spot.x * 7 + spot.y))
  drawOver(
    picture,
    (pen) => {
      if (drawable.place === 'near' || drawable.place === 'far') castShade(pen, painting, drawable, spot)
      pen.translate(spot.x, spot.y)
      pen.scale(spot.height, spot.height)
      if (drawable.place === 'water') {
        pen.save()
        pen.scale(1, -0.72)
        pen.globalAlpha = 0.3
        drawable.draw(brushAt(pen, painting, spot, random.fork(1)))
        pen.restore()
      }
      drawable.draw(brushAt(pen, painting, spot, random.fork(1)))
    },
    box,
  )
  if (isBedded(painting, drawable)) bedIn(painting, drawable, spot)
}

/** Whether the ground is soft enough, and the thing plain enough, for the one to rise over the other's foot. */
function isBedded({ scene }: Painting, { place, breadth = 1 }: Drawable): boolean {
  return (place === 'near' || place === 'far') && scene !== 'city' && scene !== 'space' && breadth <= 3
}

type Pen = Parameters<Parameters<typeof drawOver>[1]>[0]

/** The soft dark patch that keeps a thing on the ground. */
function castShade(
  pen: Pen,
  { light }: Painting,
  { breadth = 1, foot = breadth }: Drawable,
  { x, y, height }: Spot,
): void {
  const reach = Math.min(height * foot * 0.56, height * 1.6)
  const offset = -light.side * reach * 0.25
  const shade = pen.createRadialGradient(0, 0, 0, 0, 0, 1)
  shade.addColorStop(0, `rgba(14,18,34,${light.night ? 0.5 : 0.42})`)
  shade.addColorStop(0.6, `rgba(14,18,34,${light.night ? 0.28 : 0.22})`)
  shade.addColorStop(1, 'rgba(14,18,34,0)')
  pen.save()
  pen.translate(x + offset, y)
  pen.scale(reach * 1.25, Math.max(2, reach * 0.14))
  pen.fillStyle = shade
  pen.fillRect(-1, -1, 2, 2)
  pen.restore()
}
