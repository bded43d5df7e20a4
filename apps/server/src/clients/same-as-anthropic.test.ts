import type Anthropic from '@anthropic-ai/sdk'
import type { BetaMessageParam } from '@anthropic-ai/sdk/resources/beta/messages'
import { describe, expect, test } from 'vitest'
import { toEvents } from '../testing/anthropic-events.ts'
import {
  accountHeaders,
  answerBlocks,
  basic,
  endings,
  everything,
  find,
  furtherFields,
  leftOut,
  message,
  messagesWith,
  requestBlocks,
  requestFields,
  toolUse,
  tools,
  usage,
  user,
  type Fields,
} from '../testing/anthropic-forms.ts'
import { askBothAnthropic } from '../testing/ask-both-anthropic.ts'

type Asked = Anthropic.Beta.MessageCreateParamsNonStreaming
type AskedStream = Anthropic.Beta.MessageCreateParamsStreaming

const create = (fields: Fields) => (client: Anthropic) => {
  const { stream: _stream, ...asked } = { ...basic, ...fields } as Fields
  return client.beta.messages.create(asked as unknown as Asked)
}

/** The events without pings, which come when the server likes. */
const stream = (fields: Fields) => async (client: Anthropic) => {
  const events: { readonly type: string }[] = []
  const asked = { ...basic, ...fields, stream: true } as unknown as AskedStream
  for await (const event of await client.beta.messages.create(asked)) events.push(event)
  return events.filter(({ type }) => type !== 'ping')
}

const replies = [
  ['whole', create, (reply: typeof message) => ({ json: reply })],
  ['as a stream', stream, (reply: typeof message) => ({ events: toEvents(reply) })],
] as const

describe.each(replies)('@anthropic-ai/sdk, %s', (_form, ask, reply) => {
  test.each(Object.entries({ ...requestFields, ...furtherFields }))(
    '@anthropic-ai/sdk has its field arrive unchanged where the operator allows it: %s',
    async (_name, fields) => {
      const { direct, through } = await askBothAnthropic(reply(message), ask(fields), everything)
      expect(through).toEqual(direct)
    },
  )

  test.each(Object.values(requestBlocks))('@anthropic-ai/sdk has its block arrive unchanged: $type', async (block) => {
    const { direct, through } = await askBothAnthropic(
      reply(message),
      ask({ messages: messagesWith(block), tools: [find] }),
      everything,
    )
    expect(through).toEqual(direct)
  })

  test.each(tools)('@anthropic-ai/sdk has its tool arrive unchanged: $type', async (tool) => {
    const { direct, through } = await askBothAnthropic(reply(message), ask({ tools: [find, tool] }), everything)
    expect(through).toEqual(direct)
  })

  test.each(Object.values(answerBlocks))('@anthropic-ai/sdk gets the block $type as from Anthropic', async (block) => {
    const content = [{ type: 'text', text: 'I look.' }, { type: 'text', text: 'Well.' }, block]
    const stop_reason = block.type === 'tool_use' ? 'tool_use' : 'end_turn'
    const { direct, through } = await askBothAnthropic(reply({ ...message, content, stop_reason } as never), ask({}))
    expect(through).toEqual(direct)
  })

  test.each(Object.entries(endings))(
    '@anthropic-ai/sdk gets the ending %s as from Anthropic',
    async (stop_reason, ending) => {
      const ended = { ...message, stop_reason, ...ending } as never
      const { direct, through } = await askBothAnthropic(reply(ended), ask({ stop_sequences: ['END'] }))
      expect(through).toEqual({ ...direct, warnings: expect.any(String) })
    },
  )

  test('@anthropic-ai/sdk gets unknown fields and blocks as from Anthropic', async () => {
    const content = [{ type: 'block_of_tomorrow', a: [null, 1] }]
    const tomorrow = { ...message, content, field_of_tomorrow: { a: null }, usage: { ...usage, count_of_tomorrow: 1 } }
    const { direct, through } = await askBothAnthropic(reply(tomorrow as never), ask({}))
    expect(through).toEqual(direct)
  })
})

const errors = [
  [400, 'invalid_request_error'],
  [404, 'not_found_error'],
  [413, 'request_too_large'],
  [429, 'rate_limit_error'],
  [500, 'api_error'],
  [504, 'timeout_error'],
  [529, 'overloaded_error'],
] as const

describe('an error of Anthropic', () => {
  test.each(errors)('%i %s is thrown as with Anthropic', async (status, type) => {
    const json = { type: 'error', error: { type, message: 'No.' }, request_id: 'req_01' }
    const { direct, through } = await askBothAnthropic({ status, json }, create({}))
    expect(through.outcome).toEqual(direct.outcome)
  })
})

describe('what differs from Anthropic', () => {
  test.each(Object.entries(leftOut))('%s, which %s, is left out and named unless it is allowed', async (name) => {
    const { direct, through } = await askBothAnthropic(
      { json: message },
      create(requestFields[name as keyof typeof leftOut]),
    )
    expect(direct.sent).toHaveProperty(name)
    expect(through.sent).not.toHaveProperty(name)
    expect(through.warnings).toContain(`${name} was left out: the operator of the service has not allowed it`)
  })

  test.each([
    ['a tool that Anthropic runs', { tools: [{ type: 'web_search_20260318', name: 'web_search' }] }],
    ['a file of the Files API', { messages: messagesWith(requestBlocks.image) }],
  ])('%s fails with 400 unless the operator allows it', async (_case, fields) => {
    const { through } = await askBothAnthropic({ json: message }, create(fields))
    expect(through).toMatchObject({ outcome: { status: 400, type: 'invalid_request_error' }, sent: undefined })
  })

  test('headers of the account are those of the service, but the version of the API is that of the client', async () => {
    const account = { ...accountHeaders.user_profile_id, ...accountHeaders.workspace_id, betas: ['a-1'] }
    const { headers } = await askBothAnthropic({ json: message }, create(account))
    const [direct, through] = headers.map((each) =>
      Object.fromEntries(Object.entries(each).filter(([name]) => name.startsWith('anthropic-'))),
    )
    expect(Object.keys(direct!).toSorted()).toEqual([
      'anthropic-beta',
      'anthropic-user-profile-id',
      'anthropic-version',
      'anthropic-workspace-id',
    ])
    expect(through).toEqual({ 'anthropic-beta': 'a-1', 'anthropic-version': '2026-10-21' })
  })

  test('more max_tokens than the model has are lowered and named', async () => {
    const { through } = await askBothAnthropic({ events: toEvents(message) }, stream({ max_tokens: 900_000 }))
    expect(through.sent).toMatchObject({ max_tokens: 128_000 })
    expect(through.warnings).toContain('max_tokens was lowered to 128000')
  })

  test('failures of the account of the operator are failures of the service', async () => {
    const json = { type: 'error', error: { type: 'authentication_error', message: 'No.' } }
    const { direct, through } = await askBothAnthropic({ status: 401, json }, create({}))
    expect([direct.outcome, through.outcome]).toMatchObject([{ status: 401 }, { status: expect.any(Number) }])
    expect((through.outcome as { readonly status: number }).status).toBeGreaterThanOrEqual(500)
  })

  test('a message with data of another provider, or what the API would reject, is written anew', async () => {
    const blank = { role: 'assistant', content: [{ type: 'text', text: '\n' }, toolUse] }
    const result = { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_01', content: 'Yes.' }] }
    const fields = { tools: [find], messages: [user, blank, result] as unknown as BetaMessageParam[] }
    const { through } = await askBothAnthropic({ json: message }, create(fields))
    expect(through.sent).toMatchObject({ messages: [user, { role: 'assistant', content: [toolUse] }, result] })
  })
})
