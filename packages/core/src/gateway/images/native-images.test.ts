import { describe, expect, test } from 'vitest'
import { blankPng, fakeImageModel, testCore } from '@fairlead/testing'
import { operations } from '@fairlead/testing/workspace'
import type { Provider } from '../provider.ts'

const images = { low: { '1024x1024': 0.01, '1536x1024': 0.02 }, high: { '1024x1024': 0.2, '1536x1024': 0.3 } }

/** A provider with the API of OpenAI that draws an image of another size than the first that its model lists. */
function createPainter(said: object): Provider {
  return {
    contract: 2,
    id: 'openai',
    dialects: ['openai-chat'],
    models: [fakeImageModel({ id: 'brush', pricing: { input: 0, output: 0.05, images } })],
    generateImage: async () => ({
      png: blankPng(1_536, 1_024),
      response: { native: { 'openai-chat': said as Readonly<Record<string, unknown>> } },
    }),
  }
}

describe('an image in the form of OpenAI', () => {
  test.each([
    ['what the upstream says of it', {}, { quality: 'low', size: '1536x1024' }, 0.02],
    ['what the upstream chose for "auto"', { quality: 'auto' }, { quality: 'high', size: '1536x1024' }, 0.3],
    ['what the client asked for, if the upstream says nothing', { quality: 'high', size: '1024x1024' }, {}, 0.2],
  ])('an image in the form of OpenAI costs %s', async (_case, fields, said, costUsd) => {
    const { core, caller } = await testCore({ providers: [createPainter(said)] })
    const native = { dialect: 'openai-chat', fields, messages: [] }
    const reply = await core.run(operations.generateImage, caller, { prompt: 'A lake.', model: 'brush' }, { native })
    expect(reply).toMatchObject({ success: true, meta: { costUsd } })
  })
})
