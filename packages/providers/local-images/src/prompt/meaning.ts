import type { Color } from '../pixels/color.ts'

export const sceneNames = ['mountain', 'sea', 'city', 'forest', 'desert', 'meadow', 'space'] as const
export type SceneName = (typeof sceneNames)[number]

export type Time = 'dawn' | 'day' | 'sunset' | 'dusk' | 'night'
export type Weather = 'clear' | 'cloudy' | 'fog' | 'rain' | 'storm' | 'snow'
export type Season = 'spring' | 'summer' | 'autumn' | 'winter'
export type Mood = 'calm' | 'dramatic' | 'dreamy' | 'gloomy' | 'happy'

/** The parts, besides objects, that a color may be bound to. */
export type Part = 'sky' | 'water' | 'leaves' | 'flowers' | 'ground' | 'clouds' | 'buildings' | 'nebula' | 'rock'

/** Layouts of a scene that are not objects themselves. */
export type Trait =
  | 'water'
  | 'waves'
  | 'island'
  | 'cliff'
  | 'beach'
  | 'tropical'
  | 'path'
  | 'neon'
  | 'stars'
  | 'pines'
  | 'broadleaf'
  | 'jungle'
  | 'blossom'
  | 'birches'
  | 'lavender'
  | 'sunflowers'
  | 'tulips'
  | 'poppies'
  | 'wildflowers'
  | 'wheat'
  | 'vineyard'
  | 'canyon'
  | 'nebula'
  | 'galaxy'
  | 'lunar'
  | 'martian'
  | 'lightning'
  | 'peaks'
  | 'hills'
  | 'monochrome'

/** One thing that a word or phrase may mean; most mean one, `lighthouse` an object and a reason for the sea. */
export type Meaning =
  | { readonly as: 'object'; readonly object: string }
  | { readonly as: 'scene'; readonly scene: SceneName; readonly weight: number }
  | { readonly as: 'time'; readonly time: Time }
  | { readonly as: 'weather'; readonly weather: Weather }
  | { readonly as: 'season'; readonly season: Season }
  | { readonly as: 'mood'; readonly mood: Mood }
  | { readonly as: 'color'; readonly color: Color; readonly name: string }
  | { readonly as: 'part'; readonly part: Part }
  | { readonly as: 'trait'; readonly trait: Trait }
  | { readonly as: 'living'; readonly home?: SceneName }
  | { readonly as: 'medium' }
  | { readonly as: 'count'; readonly count: number }
  | { readonly as: 'family'; readonly family: string }
  | { readonly as: 'not' }
  | { readonly as: 'link' }
  | { readonly as: 'plain' }
