import { describe, expect, test } from 'vitest'
import { emptyState, fromSearch, type PlaygroundState, toSearch } from './playground-state.ts'

const comparison: PlaygroundState = {
  mode: 'image',
  compare: true,
  raw: true,
  drafts: {
    ...emptyState.drafts,
    image: { prompt: 'a lake', a: { model: 'vista', size: '256x256' }, b: { model: 'motif' } },
  },
}

describe('the state of the playground in the URL', () => {
  test('the state of the playground in the URL keeps the mode, the models, the parameters, and a short prompt', () => {
    const search = toSearch(comparison)
    expect(search).toEqual({
      mode: 'image',
      compare: 'true',
      raw: 'true',
      model: 'vista',
      size: '256x256',
      'b.model': 'motif',
      prompt: 'a lake',
    })
    expect(fromSearch(search, emptyState)).toEqual(comparison)
  })

  test('the state of the playground in the URL leaves out a long prompt, and what has its default', () => {
    const draft = { prompt: 'word '.repeat(1_000), a: {}, b: { model: 'mirror' } }
    expect(toSearch({ ...emptyState, drafts: { ...emptyState.drafts, text: draft } })).toEqual({})
  })

  test('the state of the playground in the URL keeps the drafts of the other modes', () => {
    expect(fromSearch({ model: 'scribe' }, comparison)).toMatchObject({
      mode: 'text',
      compare: false,
      drafts: { text: { a: { model: 'scribe' } }, image: comparison.drafts.image },
    })
  })

  test('the state of the playground in the URL shows texts for a mode that does not exist', () => {
    expect(fromSearch({ mode: 'video' }, emptyState)).toEqual(emptyState)
  })
})
