import type { Reading } from '../prompt/reading.ts'
import type { SceneName } from '../prompt/meaning.ts'

/** The requested things that the picture does not show, a sentence each. */
export function leftOutOfVista(reading: Reading, scene: SceneName, unplaced: ReadonlySet<string>): string[] {
  const told = reading.unpainted.map(({ text, reason, home }) => {
    if (reason === 'living') {
      const chose = home === scene ? `; it only chose the scene (${scene})` : ''
      return `"${text}" is not painted: vista cannot draw people or animals${chose}`
    }
    if (reason === 'medium') return `"${text}" is not honored: vista paints in one manner of its own`
    return `"${text}" is not painted: vista does not know how to draw it`
  })
  const crowded = reading.subjects
    .filter(({ object }) => unplaced.has(object))
    .map(({ text }) => `"${text}" is not painted: there is no place for it in this scene (${scene})`)
  return [...told, ...crowded]
}
