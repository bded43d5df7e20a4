import type Anthropic from '@anthropic-ai/sdk'
import { describe, expect, test } from 'vitest'
import { toEvents } from '../testing/anthropic-events.ts'
import { basic, type Fields, message } from '../testing/anthropic-forms.ts'
import { askBothAnthropic } from '../testing/ask-both-anthropic.ts'

type Asked = Anthropic.Beta.MessageCreateParamsNonStreaming

const create = (fields: Fields) => (client: Anthropic) => {
  const { stream: _stream, ...asked } = { ...basic, ...fields } as Fields
  return client.beta.messages.create(asked as unknown as Asked)
}

const user = { role: 'user', content: 'Hi' }

describe('a message through Fairlead', () => {
  // From SDK types.
  test.each<[string, Fields]>([
    ['no answer, which fills the prompt cache', { max_tokens: 0 }],
    ['an empty last answer', { messages: [user, { role: 'assistant', content: '' }] }],
    ['an empty last answer of blocks', { messages: [user, { role: 'assistant', content: [] }] }],
    ['an empty text', { messages: [{ role: 'user', content: '' }] }],
    ['an empty system prompt', { system: '', messages: [user] }],
    ['an empty system prompt of blocks', { system: [], messages: [user] }],
  ])('a message through Fairlead reaches Anthropic as it is with %s', async (_case, fields) => {
    const { direct, through } = await askBothAnthropic({ json: message }, create(fields))
    expect(through).toEqual(direct)
  })

  // Assumed: Anthropic states 32 MB for a request of its Messages API.
  test('a message through Fairlead may be as long as with Anthropic', async () => {
    const source = { type: 'base64', media_type: 'application/pdf', data: 'A'.repeat(28_000_000) }
    const content = [{ type: 'document', source }]
    const { direct, through } = await askBothAnthropic(
      { json: message },
      create({ messages: [{ role: 'user', content }] }),
    )
    expect(through.outcome).toEqual(direct.outcome)
  })

  // Assumed: kinds of events that the API may add.
  test('a message through Fairlead streams events that Fairlead does not know', async () => {
    const [start, ...others] = toEvents(message)
    const added = { event: 'message_note', data: { type: 'message_note', note: { a: 1 } } }
    const seen = async (client: Anthropic) => {
      const events: unknown[] = []
      const asked = { ...basic, stream: true } as unknown as Anthropic.Beta.MessageCreateParamsStreaming
      for await (const event of await client.beta.messages.create(asked)) events.push(event)
      return events.filter((event) => (event as { readonly type: string }).type !== 'ping')
    }
    const { direct, through } = await askBothAnthropic({ events: [start!, added, ...others] }, seen)
    expect(through.outcome).toEqual(direct.outcome)
    expect(JSON.stringify(through.outcome)).toContain('message_note')
  })
})
