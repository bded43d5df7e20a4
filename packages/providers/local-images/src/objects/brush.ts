import type { Color } from '../pixels/color.ts'
import type { Pen } from '../pixels/picture.ts'
import type { Random } from '../pixels/random.ts'

export type Point = readonly [x: number, y: number]
/** A color, or its `#rrggbb`. */
export type Tint = Color | string

/**
 * The brush that draws an object. Coordinates are shares of its height: x to the right, y down, the foot at the origin.
 * Every shape is shaded from the lit side to the other and faded by distance; lamps shine by themselves.
 */
export interface Brush {
  readonly pen: Pen
  readonly random: Random
  readonly night: boolean
  /** Dark enough for lamps. */
  readonly lamps: boolean
  readonly snowy: boolean
  /** The side that the light comes from: -1 left, 1 right. */
  readonly side: 1 | -1
  /** The prompt's color for the object, or what it has by itself. */
  own(fallback: Tint, index?: number): Color
  /** A fill that the light has fallen on, across the given width. */
  shaded(tint: Tint, left: number, right: number, brightness?: number): CanvasFill
  polygon(tint: Tint, ...points: Point[]): void
  box(tint: Tint, x: number, y: number, width: number, height: number): void
  oval(tint: Tint, x: number, y: number, radiusX: number, radiusY: number, turn?: number): void
  /** A shape between curves; the path is the caller's. */
  shape(tint: Tint, left: number, right: number, path: (pen: Pen) => void): void
  line(tint: Tint, width: number, ...points: Point[]): void
  /** An open curve through a control point. */
  arc(tint: Tint, width: number, from: Point, control: Point, to: Point): void
  /** A lit window or lamp; by day a dark pane. */
  window(x: number, y: number, width: number, height: number, tint?: Tint): void
  /** Light around a lamp; `strength` up to 1. */
  glow(tint: Tint, x: number, y: number, radius: number, strength: number): void
  /** A shape in a color that no shade touches. */
  bright(tint: Tint, path: (pen: Pen) => void, alpha?: number): void
}

export type CanvasFill = Pen['fillStyle']
