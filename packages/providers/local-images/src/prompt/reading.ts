import type { Color } from '../pixels/color.ts'
import type { Mood, Part, SceneName, Season, Time, Trait, Weather } from './meaning.ts'
import type { Subject } from './subject.ts'

/** Something that was asked for and cannot be had. */
export interface Unpainted {
  readonly text: string
  readonly reason: 'living' | 'medium' | 'unknown'
  /** The scene that it chose all the same. */
  readonly home?: SceneName
}

/** A prompt as the painters understand it. */
export interface Reading {
  /** Absent where nothing in the prompt points to a scene. */
  readonly scene?: SceneName
  readonly time?: Time
  readonly weather?: Weather
  readonly season?: Season
  readonly mood?: Mood
  readonly traits: ReadonlySet<Trait>
  readonly families: readonly string[]
  /** Colors that belong to no noun. */
  readonly colors: readonly Color[]
  /** The names of all colors, in order. */
  readonly colorNames: readonly string[]
  readonly parts: ReadonlyMap<Part, readonly Color[]>
  readonly subjects: readonly Subject[]
  readonly unpainted: readonly Unpainted[]
}
