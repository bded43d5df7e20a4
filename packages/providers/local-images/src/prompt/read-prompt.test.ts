import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { hostileText } from '../../../local/src/testing/hostile-text.ts'
import { hex } from '../pixels/color.ts'
import { lexicon } from './lexicon.ts'
import { readPrompt } from './read-prompt.ts'
import { wordTable } from './word-table.ts'
import { splitWords } from './words.ts'

const red = hex(wordTable.colors['red'] ?? '')
const white = hex(wordTable.colors['white'] ?? '')
const pink = hex(wordTable.colors['pink'] ?? '')

describe('readPrompt', () => {
  test('readPrompt throws on no hostile prompt', () => {
    fc.assert(
      fc.property(hostileText([...lexicon.keys()]), (prompt) => {
        const { unpainted, subjects } = readPrompt(prompt)
        for (const { text } of [...unpainted, ...subjects]) expect(typeof text).toBe('string')
      }),
      { seed: 13 },
    )
  })

  test('readPrompt takes "constructor" for a word like any other', () => {
    expect(splitWords('Constructor')).toEqual([{ surface: 'constructor', stem: 'constructor' }])
  })

  test.each([
    ['a snowy peak above the clouds', 'mountain'],
    ['waves on a lonely beach', 'sea'],
    ['the skyline of Tokyo', 'city'],
    ['a birch forest in autumn', 'forest'],
    ['sand dunes and a cactus', 'desert'],
    ['a field of tulips', 'meadow'],
    ['Saturn and its rings', 'space'],
    ['the Milky Way', 'space'],
    ['the Milky Way over a desert', 'desert'],
    ['a lighthouse', 'sea'],
  ])('readPrompt sees where %j takes place: %s', (prompt, scene) => {
    expect(readPrompt(prompt).scene).toBe(scene)
  })

  test('readPrompt reads time, weather, season and mood', () => {
    expect(readPrompt('a dramatic autumn forest at dusk in the fog')).toMatchObject({
      time: 'dusk',
      weather: 'fog',
      season: 'autumn',
      mood: 'dramatic',
    })
  })

  test('readPrompt lets a phrase speak for the scenery that its words name', () => {
    expect(readPrompt('a starry night over the hills').time).toBe('night')
  })

  test('readPrompt binds colors to the noun that follows them, over adjectives and "and"', () => {
    const { subjects } = readPrompt('two small red and white boats')
    expect(subjects).toEqual([{ object: 'boat', text: 'boats', count: 2, colors: [red, white] }])
  })

  test('readPrompt binds a color to a part of the scenery', () => {
    const { parts, subjects, colors } = readPrompt('a red barn under a pink sky')
    expect(parts.get('sky')).toEqual([pink])
    expect(subjects[0]?.colors).toEqual([red])
    expect(colors).toEqual([])
  })

  test('readPrompt keeps a count to the noun that follows it', () => {
    const { subjects } = readPrompt('a beach with palms and three boats')
    expect(subjects.map(({ object, count }) => [object, count])).toEqual([
      ['palm tree', undefined],
      ['boat', 3],
    ])
  })

  test('readPrompt leaves a color free that no noun follows', () => {
    expect(readPrompt('an evening by the sea, in red and white').colors).toEqual([red, white])
  })

  test('readPrompt gives no color of a fox to anything else', () => {
    const reading = readPrompt('a red fox in the snow')
    expect(reading.colors).toEqual([])
    expect(reading.colorNames).toEqual([])
  })

  test('readPrompt takes back what follows "no" or "without"', () => {
    const reading = readPrompt('a lake without boats and no clouds')
    expect(reading.subjects).toEqual([])
    expect(reading.weather).toBeUndefined()
  })

  test('readPrompt lists people, animals, manners and unknown things as not painted', () => {
    expect(readPrompt('an oil painting of a fox and a gramophone in the forest').unpainted).toEqual([
      { text: 'oil painting', reason: 'medium' },
      { text: 'fox', reason: 'living', home: 'forest' },
      { text: 'gramophone', reason: 'unknown' },
    ])
  })

  test('readPrompt finds nothing to leave out of an ordinary prompt', () => {
    expect(readPrompt('A serene mountain lake at sunrise, with pine trees and a small wooden cabin').unpainted).toEqual(
      [],
    )
  })
})
