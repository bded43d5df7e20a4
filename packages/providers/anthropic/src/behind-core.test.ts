import { createFairlead, operations } from '@fairlead/core'
import { openTestUpstream, replaying, type TestUpstream } from '@fairlead/core/testing'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { anthropic } from './index.ts'

let upstream: TestUpstream
beforeEach(async () => {
  upstream = await openTestUpstream()
  return () => upstream.close()
})

/** A Fairlead whose only provider is Claude, which says this. */
function behindClaude(content: string, usage: object = { input_tokens: 10, output_tokens: 5 }) {
  const reply = { type: 'message', content: [{ type: 'text', text: content }], stop_reason: 'end_turn', usage }
  upstream.answer(replaying({ json: reply }))
  const fairlead = createFairlead({ providers: [anthropic({ apiKey: 'sk-ant-canary', baseUrl: upstream.url })] })
  onTestFinished(() => fairlead.close())
  return fairlead
}

/** What the answer's meta says of a text with that usage. */
async function metaOf(model: string, usage: object) {
  const fairlead = behindClaude('Hello there.', usage)
  const reply = await fairlead.run(operations.generate, { kind: 'embedded' }, { model, prompt: 'Greet me.' })
  return reply.meta
}

describe('Claude behind Fairlead', () => {
  test('costs the tokens that the API counted', async () => {
    const meta = await metaOf('claude-opus-5-5', { input_tokens: 1_000, output_tokens: 100 })
    expect(meta).toMatchObject({ provider: 'anthropic', costUsd: 0.006 })
    expect(meta).not.toHaveProperty('warnings')
  })

  test('costs more for every token if the prompt is long', async () => {
    const meta = await metaOf('claude-haiku-5-5', { input_tokens: 200_000, output_tokens: 1_000 })
    expect(meta).toMatchObject({ costUsd: 0.1025 })
  })

  test('analyzes a text with a schema', async () => {
    const fairlead = behindClaude('{"sentiment":{"score":0.8,"label":"positive"}}')
    const model = 'claude-haiku-5-5'
    const found = await fairlead.analyze({ text: 'I love this lake.', tasks: ['sentiment'], model })
    expect(found).toEqual({ sentiment: { score: 0.8, label: 'positive' } })
    expect(upstream.requests.at(-1)?.body).toMatchObject({
      output_config: { format: { type: 'json_schema', schema: { additionalProperties: false } } },
    })
  })

  test('returns 400 with the field and the context size when the prompt is too long', async () => {
    const fairlead = behindClaude('')
    const error = { type: 'invalid_request_error', message: 'prompt is too long: 1000050 tokens > 1000000 maximum' }
    upstream.answer(replaying({ status: 400, json: { type: 'error', error } }))
    await expect(fairlead.generate({ model: 'claude-haiku-5-5', prompt: 'x' })).rejects.toMatchObject({
      code: 'INVALID_REQUEST',
      issues: [
        {
          field: 'prompt',
          issue: expect.stringMatching(/^exceeds the context size of model "claude-haiku-5-5" \(\d+ tokens\): /),
        },
      ],
    })
  })
})
