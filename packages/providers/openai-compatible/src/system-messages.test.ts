import type { Message } from '@fairlead/core/provider'
import { describe, expect, test } from 'vitest'
import { completion, replyingWith } from './testing/ask-replying.ts'
import type { OpenaiCompatibleOptions } from './index.ts'

const text = (words: string, about: object = {}) => ({ type: 'text', text: words, ...about }) as const
const system = (...words: string[]): Message => ({ role: 'system', content: words.map((each) => text(each)) })
const user = (words: string): Message => ({ role: 'user', content: [text(words)] })

async function sentFor(messages: readonly Message[], options: Partial<OpenaiCompatibleOptions> = {}) {
  const { write, sent } = await replyingWith(completion(), options)
  const { warnings = [] } = await write({ messages })
  return { messages: (sent().body as { readonly messages: unknown }).messages, warnings }
}

const conversation = [system('Be brief.'), system('Be kind.', 'Be right.'), user('Hi'), system('Answer in French.')]
const moved = { field: 'messages', issue: expect.stringContaining('moved to the start') }

describe('the system messages of a chat request', () => {
  test('the system messages of a chat request are joined into one text at the start, with a warning if a later one was moved', async () => {
    expect(await sentFor(conversation)).toEqual({
      messages: [
        { role: 'system', content: 'Be brief.\n\nBe kind.\n\nBe right.\n\nAnswer in French.' },
        { role: 'user', content: 'Hi' },
      ],
      warnings: [moved],
    })
    expect(await sentFor([user('Hi'), system('Be brief.')])).toEqual({
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'Hi' },
      ],
      warnings: [moved],
    })
  })

  test('the system messages of a chat request are joined without a warning if all are at the start', async () => {
    expect(await sentFor([system('Be brief.'), system('Be kind.'), user('Hi')])).toEqual({
      messages: [
        { role: 'system', content: 'Be brief.\n\nBe kind.' },
        { role: 'user', content: 'Hi' },
      ],
      warnings: [],
    })
  })

  test('the system messages of a chat request end with a message of the user, which chat templates require, if there are no others', async () => {
    expect(await sentFor([system('Be brief.'), system('Say hello.')])).toEqual({
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'Say hello.' },
      ],
      warnings: [],
    })
  })

  test('the system messages of a chat request keep their parts if one has options for this provider', async () => {
    const cache_control = { type: 'ephemeral' }
    const marked = text('Be kind.', { providerOptions: { acme: { cache_control } } })
    const { messages } = await sentFor([system('Be brief.'), { role: 'system', content: [marked] }, user('Hi')])
    expect(messages).toEqual([
      {
        role: 'system',
        content: [
          { type: 'text', text: 'Be brief.' },
          { type: 'text', text: 'Be kind.', cache_control },
        ],
      },
      { role: 'user', content: 'Hi' },
    ])
  })

  test.each(['openai', 'azure', 'openrouter', 'xai'] as const)(
    'the system messages of a chat request stay in their places on a server that takes them there: %s',
    async (preset) => {
      const { messages, warnings } = await sentFor([system('Be brief.'), user('Hi'), system('Be kind.')], {
        preset,
        id: 'acme',
      })
      expect(messages).toEqual([
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'Hi' },
        { role: 'system', content: 'Be kind.' },
      ])
      expect(warnings).toEqual([])
    },
  )

  test('a system message alone becomes a message of the user, without an empty one', async () => {
    expect(await sentFor([system('Write a haiku.')])).toEqual({
      messages: [{ role: 'user', content: 'Write a haiku.' }],
      warnings: [],
    })
  })
})
