import type { Light } from '../landscape/light.ts'
import type { Painting } from '../landscape/painting.ts'
import { css, mix } from '../pixels/color.ts'
import type { Pen } from '../pixels/picture.ts'
import type { Random } from '../pixels/random.ts'
import type { Brush, Point } from './brush.ts'
import { type Shading, toColor, shadingAt } from './shading.ts'
import type { Spot } from './spot.ts'

/** Takes up the brush at a spot of the picture. */
export function brushAt(pen: Pen, painting: Painting, spot: Spot, random: Random): Brush {
  const { light, snowy } = painting
  const shading = shadingAt(pen, light, spot.fade)
  const shapes = createShapes(pen, shading)
  const lights = createLights(pen, light, spot.fade)
  const lamps = lampsAreLit(light)
  return {
    pen,
    random,
    night: light.night,
    lamps,
    snowy,
    side: light.side,
    own: (fallback, index = 0) => spot.colors[index] ?? toColor(fallback),
    shaded: shading.across,
    ...shapes,
    ...createStrokes(pen, shading),
    ...lights,
    window: lamps ? litWindow(lights) : (x, y, width, height) => shapes.box('#3b4a5c', x, y, width, height),
  }
}

function lampsAreLit({ night, time, weather }: Light): boolean {
  return night || time === 'dusk' || time === 'sunset' || weather === 'storm'
}

function createShapes(pen: Pen, { across }: Shading): Pick<Brush, 'shape' | 'polygon' | 'box' | 'oval'> {
  const shape: Brush['shape'] = (tint, left, right, path) => {
    pen.fillStyle = across(tint, left, right)
    pen.beginPath()
    path(pen)
    pen.fill()
  }
  return {
    shape,
    polygon(tint, ...points) {
      const columns = points.map(([x]) => x)
      shape(tint, Math.min(...columns), Math.max(...columns), (path) => trace(path, points))
    },
    box: (tint, x, y, width, height) => shape(tint, x, x + width, (path) => path.rect(x, y, width, height)),
    oval: (tint, x, y, radiusX, radiusY, turn = 0) =>
      shape(tint, x - radiusX, x + radiusX, (path) => path.ellipse(x, y, radiusX, radiusY, turn, 0, Math.PI * 2)),
  }
}

function createStrokes(pen: Pen, { seen }: Shading): Pick<Brush, 'line' | 'arc'> {
  const stroke = (tint: Parameters<Brush['line']>[0], width: number, path: () => void) => {
    pen.strokeStyle = css(seen(tint, 0.5))
    pen.lineWidth = width
    pen.lineCap = 'round'
    pen.lineJoin = 'round'
    pen.beginPath()
    path()
    pen.stroke()
  }
  return {
    line: (tint, width, ...points) => stroke(tint, width, () => trace(pen, points)),
    arc: (tint, width, from, control, to) =>
      stroke(tint, width, () => {
        pen.moveTo(...from)
        pen.quadraticCurveTo(...control, ...to)
      }),
  }
}

type Lights = Pick<Brush, 'bright' | 'glow'>

function createLights(pen: Pen, { haze }: Light, fade: number): Lights {
  return {
    bright(tint, path, alpha = 1) {
      pen.fillStyle = css(mix(toColor(tint), haze, fade * 0.4), alpha)
      pen.beginPath()
      path(pen)
      pen.fill()
    },
    glow(tint, x, y, radius, strength) {
      const color = toColor(tint)
      const halo = pen.createRadialGradient(x, y, 0, x, y, radius)
      halo.addColorStop(0, css(color, strength))
      halo.addColorStop(0.3, css(color, strength * 0.42))
      halo.addColorStop(1, css(color, 0))
      pen.fillStyle = halo
      pen.fillRect(x - radius, y - radius, radius * 2, radius * 2)
    },
  }
}

function litWindow({ glow, bright }: Lights): Brush['window'] {
  return (x, y, width, height, tint = '#ffd98a') => {
    glow('#ffb550', x + width / 2, y + height / 2, Math.max(width, height) * 2.4, 0.4)
    bright(tint, (path) => path.rect(x, y, width, height))
  }
}

function trace(path: Pen, points: readonly Point[]): void {
  points.forEach(([x, y], index) => (index === 0 ? path.moveTo(x, y) : path.lineTo(x, y)))
}
