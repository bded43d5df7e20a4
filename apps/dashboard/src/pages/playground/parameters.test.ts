import { describe, expect, test } from 'vitest'
import { analysisParameters, imageParameters, textParameters, toFields } from './parameters.ts'

const can = { seed: true, streaming: true, chat: true, tools: true, vision: true, structured: true, reasoning: true }
const scribe = { id: 'scribe', maxTokens: 50, ...can }

describe('toFields', () => {
  test('toFields leaves out parameters that have the default of the API', () => {
    expect(toFields(textParameters(scribe), { stream: 'false', cache: 'true' })).toEqual({})
    expect(toFields(textParameters(scribe), {})).toEqual({ stream: true })
  })

  test('toFields gives each parameter its type on the wire', () => {
    const settings = { temperature: '0.2', seed: '7', stop: 'END\n\\n\\n\n', cache: 'false', stream: 'true' }
    expect(toFields(textParameters(scribe), settings)).toEqual({
      stream: true,
      temperature: 0.2,
      seed: 7,
      stop: ['END', '\n\n'],
      cache: false,
    })
  })

  test('toFields leaves out a seed that the model does not support', () => {
    expect(toFields(textParameters({ ...scribe, seed: false }), { seed: '7', stream: 'false' })).toEqual({})
  })

  test('toFields sends an effort of reasoning and options of a provider', () => {
    const settings = { max_tokens: '20', reasoning: 'low', provider_options: '{"acme":{"top_k":4}}', stream: 'false' }
    expect(toFields(textParameters(scribe), settings)).toEqual({
      max_tokens: 20,
      reasoning: { effort: 'low' },
      provider_options: { acme: { top_k: 4 } },
    })
    expect(toFields(textParameters({ ...scribe, reasoning: false }), settings)).not.toHaveProperty('reasoning')
  })

  test('toFields sends a size that the model supports if it has no default one', () => {
    const model = { id: 'small', ...can, sizes: ['256x256', '512x512'] }
    expect(toFields(imageParameters(model), { quality: 'hd' })).toEqual({ size: '256x256', quality: 'hd' })
  })

  test('toFields sends the chosen tasks of an analysis, all at first', () => {
    expect(toFields(analysisParameters(undefined), {})).toEqual({ tasks: ['sentiment', 'entities', 'keywords'] })
    expect(toFields(analysisParameters(undefined), { tasks: 'keywords,sentiment', language: 'de' })).toEqual({
      tasks: ['sentiment', 'keywords'],
      language: 'de',
    })
  })
})
