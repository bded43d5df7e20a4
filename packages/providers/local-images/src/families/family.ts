import type { Noise } from '../pixels/noise.ts'
import type { Color } from '../pixels/color.ts'
import type { Picture } from '../pixels/picture.ts'
import type { Random } from '../pixels/random.ts'
import type { Mood } from '../prompt/meaning.ts'

/** The tools of a family of patterns. */
export interface Canvas {
  readonly picture: Picture
  readonly palette: Palette
  readonly noise: Noise
  readonly random: Random
  readonly octaves: number
  readonly detail: number
  readonly mood: Mood | undefined
  /** 0.6 for something still, 1.5 for something wild: how strongly things bend, and how many there are. */
  readonly energy: number
}

/** Colors that go together. */
export interface Palette {
  readonly name: string
  /** The color behind everything else. */
  readonly ground: Color
  /** From dark to light. */
  readonly inks: readonly [Color, Color, Color, ...Color[]]
}

/** One kind of pattern. */
export interface Family {
  /** As the description says it: `flow field`. */
  readonly name: string
  /** The words that ask for it. */
  readonly words: string
  /** Moods that it suits when the prompt names no pattern. */
  readonly moods: readonly Mood[]
  paint(canvas: Canvas): void
}
