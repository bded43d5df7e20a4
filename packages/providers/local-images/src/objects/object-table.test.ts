import { describe, expect, test } from 'vitest'
import { paintVista } from '../scenes/paint-vista.ts'
import { sceneNames } from '../prompt/meaning.ts'
import { readPrompt } from '../prompt/read-prompt.ts'
import { objectTable } from './object-table.ts'

const small = { model: 'vista', width: 48, height: 48, quality: 'standard', style: 'natural', seed: 3 } as const

describe('objectTable', () => {
  test('objectTable names at least sixty things, each once', () => {
    const names = objectTable.map(({ name }) => name)
    expect(names.length).toBeGreaterThanOrEqual(60)
    expect(new Set(names).size).toBe(names.length)
  })

  test.each(objectTable.map((object) => [object.name, object.words[0] ?? ''] as const))(
    'objectTable draws a %s where its word alone is asked for',
    (name, word) => {
      expect(readPrompt(`a ${word}`).subjects.map(({ object }) => object)).toContain(name)
      const painted = paintVista({ ...small, prompt: `a ${word} by day` })
      expect(painted.leftOut).toEqual([])
      expect(painted.description).toContain(name)
    },
  )

  test.each(sceneNames)('objectTable changes the picture of a %s when a house is asked for', (scene) => {
    const place = scene === 'space' ? 'outer space' : scene
    const empty = paintVista({ ...small, prompt: `${place} by day` })
    const peopled = paintVista({ ...small, prompt: `a house, ${place} by day` })
    expect(peopled.description).toContain('a house')
    expect(Buffer.compare(empty.pixels, peopled.pixels)).not.toBe(0)
  })
})
