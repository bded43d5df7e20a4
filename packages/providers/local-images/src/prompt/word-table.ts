import { readData } from '../read-data.ts'
import type { Mood, Part, SceneName, Season, Time, Trait, Weather } from './meaning.ts'

/** Phrases with a comma between. */
type Phrases = string

/** Words with a space between. */
type Words = string

interface WordTable {
  /** Singulars by plural. */
  readonly irregular: Readonly<Record<string, string>>
  /** Words that name a scene outright. The weight 3 is the place itself, 1 a hint. */
  readonly scenes: readonly (readonly [scene: SceneName, weight: number, phrases: Phrases])[]
  /** Words that say how a scene is laid out. */
  readonly traits: readonly (readonly [trait: Trait, phrases: Phrases])[]
  /** Parts of a scene that a color may be bound to. */
  readonly parts: readonly (readonly [part: Part, phrases: Phrases])[]
  readonly times: readonly (readonly [time: Time, phrases: Phrases])[]
  readonly weathers: readonly (readonly [weather: Weather, phrases: Phrases])[]
  readonly seasons: readonly (readonly [season: Season, phrases: Phrases])[]
  readonly moods: readonly (readonly [mood: Mood, phrases: Phrases])[]
  /**
   * People and animals: never drawn, always said so. Where one has a home, it may choose the scene. Birds in flight are an
   * object; a bird that is named by its kind is not.
   */
  readonly living: readonly (readonly [home: SceneName | null, phrases: Phrases])[]
  /** The colors that a prompt may name, as `#rrggbb`. */
  readonly colors: Readonly<Record<string, string>>
  readonly counts: readonly (readonly [count: number, phrases: Phrases])[]
  /** Ways of making that this painter does not have. */
  readonly media: Phrases
  /** Words that take back what follows. */
  readonly nots: Phrases
  /** Words that join others; a color that waits for its noun stops waiting here. */
  readonly links: Words
  /** Words that say nothing which a painter could leave out. */
  readonly plain: Words
}

/** The words of `data/words.json`. */
export const wordTable = readData('words') as WordTable
