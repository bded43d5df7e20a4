import type { Painting } from '../landscape/painting.ts'
import { objectNamed } from '../objects/object-table.ts'
import type { Mood, SceneName, Time, Weather } from '../prompt/meaning.ts'
import { phraseKey } from '../prompt/words.ts'
import type { Subject } from '../prompt/subject.ts'

const places: Readonly<Record<SceneName, string>> = {
  mountain: 'mountain landscape',
  sea: 'seascape',
  city: 'city skyline by the water',
  forest: 'forest',
  desert: 'desert',
  meadow: 'rolling meadow',
  space: 'view of deep space with nebulae and stars',
}
const times: Readonly<Record<Time, string>> = {
  dawn: 'at dawn',
  day: 'by day',
  sunset: 'at sunset',
  dusk: 'at dusk',
  night: 'at night',
}
const weathers: Readonly<Record<Weather, string>> = {
  clear: '',
  cloudy: 'under a cloudy sky',
  fog: 'in mist',
  rain: 'in the rain',
  storm: 'in a thunderstorm',
  snow: 'in falling snow',
}
const moods: Readonly<Record<Mood, string>> = {
  calm: 'calm',
  dramatic: 'dramatic',
  dreamy: 'dreamlike',
  gloomy: 'gloomy',
  happy: 'cheerful',
}
const numbers = ['', '', 'two', 'three', 'four', 'five', 'six'] as const

/** Tells in a sentence what has been painted. */
export function describeVista({ reading, scene, light }: Painting, unplaced: ReadonlySet<string>): string {
  const airless = scene === 'space'
  const what = [reading.mood && moods[reading.mood], !airless && reading.season, places[scene]]
    .filter(Boolean)
    .join(' ')
  const when = airless ? '' : [times[light.time], weathers[light.weather]].filter(Boolean).join(' ')
  const objects = reading.subjects.filter(({ object }) => !unplaced.has(object)).map(named)
  const colors = reading.colorNames.length > 0 ? `, in ${listed([...new Set(reading.colorNames)])}` : ''
  const withObjects = objects.length > 0 ? ` with ${listed(objects)}` : ''
  return `A procedural painting of ${article(what)} ${[what, when].filter(Boolean).join(' ')}${withObjects}${colors}.`
}

function named({ object, text, count }: Subject): string {
  const drawable = objectNamed(object)
  const plural = drawable?.plural ?? `${object}s`
  if (drawable?.groups?.some((words) => phraseKey(words) === phraseKey(text))) return plural
  if (count !== undefined && count > 1) return `${numbers[count] ?? 'many'} ${plural}`
  if (count === undefined && phraseKey(text) !== text && drawable?.flock) return plural
  return `${article(object)} ${object}`
}

/** `a, b and c`. */
export function listed(items: readonly string[]): string {
  return items.length < 2 ? items.join('') : `${items.slice(0, -1).join(', ')} and ${items.at(-1)}`
}

export function article(noun: string): string {
  return /^[aeiou]/.test(noun) && !/^(?:uni|one)/.test(noun) ? 'an' : 'a'
}
