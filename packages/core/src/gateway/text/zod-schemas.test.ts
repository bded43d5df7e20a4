import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { createFairlead } from '../../fairlead/create-fairlead.ts'
import { textModel } from '../../fakes/fake-providers.ts'
import type { Provider, TextRequest } from '../provider.ts'
import { textAnswer } from '../messages/text-answer.ts'

function recording() {
  const requests: TextRequest[] = []
  const provider: Provider = {
    contract: 2,
    id: 'recorder',
    models: [textModel({ chat: true, tools: true, structured: true, streaming: true })],
    async generateText(request) {
      requests.push(request)
      return textAnswer('{"city":"Oslo"}', { usage: { promptTokens: 1, completionTokens: 1 } })
    },
  }
  return { requests, fairlead: createFairlead({ providers: [provider] }) }
}

const city = z.object({ city: z.string() })
const schema = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] }
const input = {
  model: 'any',
  prompt: 'Where?',
  tools: [{ name: 'find', inputSchema: city }],
  responseFormat: { type: 'json_schema', schema: city },
} as const

describe('zod schemas in generate', () => {
  test.each(['whole', 'with metadata', 'streamed'])('reach the provider as JSON schemas (%s)', async (form) => {
    const { fairlead, requests } = recording()
    if (form === 'whole') await fairlead.generate(input)
    else if (form === 'streamed') await fairlead.generate.stream(input).result()
    else await fairlead.generate.withMeta(input)
    expect(requests).toMatchObject([
      { tools: [{ name: 'find', inputSchema: schema }], responseFormat: { type: 'json_schema', schema } },
    ])
  })

  test('are rejected by the name of their field if JSON schema cannot express them', async () => {
    const { fairlead } = recording()
    const dated = { ...input, tools: [{ name: 'find', inputSchema: z.object({ at: z.date() }) }] }
    await expect(fairlead.generate(dated)).rejects.toMatchObject({
      code: 'INVALID_REQUEST',
      issues: [
        { field: 'tools[0].inputSchema', issue: expect.stringMatching(/^cannot be expressed as a JSON schema: /) },
      ],
    })
  })

  test('are those of runTools too', async () => {
    const { fairlead, requests } = recording()
    const find = { inputSchema: city, run: () => 'found' }
    await fairlead.runTools({ ...input, tools: { find } })
    expect(requests).toMatchObject([{ tools: [{ inputSchema: schema }], responseFormat: { schema } }])
  })
})
