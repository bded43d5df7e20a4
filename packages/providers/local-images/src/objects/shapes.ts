import type { Pen } from '../pixels/picture.ts'
import type { Brush, Point, Tint } from './brush.ts'
import { smoke } from './smoke.ts'

/**
 * A shape of `data/objects.json`: a method of the brush with its arguments, in the coordinates of the brush.
 *
 * A tint is `#rrggbb`, or `*` for one of the object's tints. Numbers behind it are the colors of the prompt that replace it:
 * `#9a7148 0` is `#9a7148` unless the prompt names a color. A path is written as in SVG, with canvas's own `R` (rectangle),
 * `O` (rounded rectangle), `E` (ellipse), and `A` (circle).
 */
export type Shape = Drawn | { readonly when: Condition; readonly shapes: readonly Shape[] }

type Numbers = readonly number[]

type Drawn =
  | readonly ['box' | 'oval' | 'polygon', tint: string, ...Numbers]
  | readonly ['line' | 'arc', tint: string, width: number, ...Numbers]
  | readonly ['path', tint: string, left: number, right: number, path: string, brightness?: number]
  /** A line around a path, shaded as an area. */
  | readonly ['ring', tint: string, left: number, right: number, width: number, path: string]
  /** A fill that neither light nor distance changes. */
  | readonly ['flat', css: string, path: string]
  | readonly ['bright', tint: string, path: string, alpha?: number]
  | readonly ['glow', tint: string, x: number, y: number, radius: number, strength: number]
  | readonly ['window', x: number, y: number, width: number, height: number, tint?: string]
  | readonly ['smoke', x: number, y: number]
  | readonly ['translate', x: number, y: number]
  /** Turns toward the light. */
  | readonly ['turn', angle: number]
  /** Faces the light. */
  | readonly ['mirror']

type Condition = keyof typeof conditions

const conditions = {
  snowy: ({ snowy }: Brush) => snowy,
  dry: ({ snowy }: Brush) => !snowy,
  lamps: ({ lamps }: Brush) => lamps,
  dim: ({ lamps }: Brush) => !lamps,
  left: ({ side }: Brush) => side < 0,
  right: ({ side }: Brush) => side > 0,
} as const

/** @param tints of which chance picks one for each object */
export function drawShapes(brush: Brush, shapes: readonly Shape[], tints?: readonly string[]): void {
  const picked = tints && brush.random.pick(tints as [string, ...string[]])
  const draw = (shape: Shape): void => {
    if ('when' in shape) {
      if (conditions[shape.when](brush)) shape.shapes.forEach(draw)
    } else drawShape(brush, shape, (tint) => readTint(brush, picked ? tint.replace('*', picked) : tint))
  }
  shapes.forEach(draw)
}

function drawShape(brush: Brush, shape: Drawn, tint: (written: string) => Tint): void {
  const { pen } = brush
  switch (shape[0]) {
    case 'box':
    case 'oval': {
      const [method, color, x = 0, y = 0, width = 0, height = 0, ...turn] = shape
      if (method === 'box') return brush.box(tint(color), x, y, width, height)
      return brush.oval(tint(color), x, y, width, height, ...turn)
    }
    case 'polygon': {
      const [, color, ...points] = shape
      return brush.polygon(tint(color), ...toPoints(points))
    }
    case 'line': {
      const [, color, width, ...points] = shape
      return brush.line(tint(color), width, ...toPoints(points))
    }
    case 'arc': {
      const [, color, width, ...points] = shape
      const [from, control, to] = toPoints(points) as [Point, Point, Point]
      return brush.arc(tint(color), width, from, control, to)
    }
    case 'path': {
      const [, color, left, right, path, brightness] = shape
      return fill(pen, brush.shaded(tint(color), left, right, brightness), path)
    }
    case 'ring': {
      const [, color, left, right, width, path] = shape
      pen.strokeStyle = brush.shaded(tint(color), left, right)
      pen.lineWidth = width
      pen.beginPath()
      tracePath(pen, path)
      return pen.stroke()
    }
    case 'flat':
      return fill(pen, shape[1], shape[2])
    case 'bright':
      return brush.bright(tint(shape[1]), () => tracePath(pen, shape[2]), shape[3])
    case 'glow': {
      const [, color, ...numbers] = shape
      return brush.glow(tint(color), ...numbers)
    }
    case 'window': {
      const [, x, y, width, height, color] = shape
      return brush.window(x, y, width, height, color && tint(color))
    }
    case 'smoke':
      return smoke(brush, shape[1], shape[2])
    case 'translate':
      return pen.translate(shape[1], shape[2])
    case 'turn':
      return pen.rotate(shape[1] * brush.side)
    case 'mirror':
      return pen.scale(brush.side, 1)
  }
}

function readTint(brush: Brush, written: string): Tint {
  const [color = '', ...indices] = written.split(' ')
  return indices.reduce<Tint>((fallback, index) => brush.own(fallback, Number(index)), color)
}

function toPoints(numbers: Numbers): Point[] {
  return Array.from({ length: numbers.length / 2 }, (_, index) => [numbers[index * 2]!, numbers[index * 2 + 1]!])
}

const methods = {
  M: 'moveTo',
  L: 'lineTo',
  Q: 'quadraticCurveTo',
  C: 'bezierCurveTo',
  R: 'rect',
  O: 'roundRect',
  E: 'ellipse',
  A: 'arc',
  Z: 'closePath',
} as const

function fill(pen: Pen, style: Pen['fillStyle'], path: string): void {
  pen.fillStyle = style
  pen.beginPath()
  tracePath(pen, path)
  pen.fill()
}

function tracePath(pen: Pen, path: string): void {
  for (const [, letter, numbers] of path.matchAll(/([A-Z])([^A-Z]*)/g)) {
    const draw = pen[methods[letter as keyof typeof methods]] as (...numbers: number[]) => void
    draw.apply(pen, numbers!.trim().split(' ').map(Number))
  }
}
