import { describe, expect, test } from 'vitest'
import type { Credentials } from '../access.ts'
import type { FairleadCore } from '../../fairlead/fairlead-core.ts'
import { operations } from '@fairlead/testing/workspace'
import { scripted, testCore } from '@fairlead/testing'
import { canStream, type Operation } from '../operation.ts'

/**
 * A transport unlike REST: one message contains several operations by name, and each of them fails independently.
 */
async function handleMessage(
  core: FairleadCore,
  credentials: Credentials,
  message: { readonly id: string; readonly fields: Readonly<Record<string, readonly [name: string, input: object]>> },
) {
  const table: Readonly<Record<string, Operation>> = operations
  const results = await Promise.all(
    Object.entries(message.fields).map(async ([alias, [name, input]]) => {
      const operation = table[name]
      if (!operation) throw new Error(`unknown operation ${name}`)
      const reply = await core.run(operation, credentials, input, { requestId: message.id })
      return [alias, reply.success ? ('data' in reply ? reply.data : 'a stream') : { code: reply.error.code }] as const
    }),
  )
  return Object.fromEntries(results)
}

describe('a second adapter', () => {
  test('a second adapter runs several operations in one request', async () => {
    const { core, caller, stores } = await testCore({ providers: [scripted('calm', 'hello there')] })
    const answers = await handleMessage(core, caller, {
      id: 'req_7',
      fields: {
        greeting: ['generate', { model: 'any', prompt: 'greet me' }],
        rejected: ['generate', { model: 'none', prompt: 'greet me' }],
        again: ['generate', { model: 'any', prompt: 'greet me' }],
        list: ['models', {}],
      },
    })
    expect(answers).toMatchObject({
      greeting: { content: 'hello there' },
      rejected: { code: 'INVALID_REQUEST' },
      again: { content: 'hello there' },
      list: [{ id: 'any' }],
    })
    const records = await stores.read((view) => view.usage.ofRequest('req_7'))
    expect(records.map(({ operation, charged }) => [operation, charged]).toSorted()).toEqual([
      ['generate', true],
      ['generate', true],
      ['models', true],
    ])
  })

  test('a second adapter charges each operation until the quota is used up', async () => {
    const { core, addCaller } = await testCore()
    const { credentials } = await addCaller({ user: { tier: 'enterprise', quotaLimit: 20 } })
    const fields = Object.fromEntries(
      Array.from({ length: 50 }, (_, index) => [`f${index}`, ['generate', { model: 'any', prompt: 'x' }] as const]),
    )
    const answers = Object.values(await handleMessage(core, credentials, { id: 'req_8', fields }))
    const rejected = answers.filter((answer) => JSON.stringify(answer) === '{"code":"QUOTA_EXCEEDED"}')
    expect(rejected).toHaveLength(30)
    expect(answers).toHaveLength(50)
  })

  test('a second adapter streams operations that can stream', async () => {
    const { core, caller } = await testCore({ providers: [scripted('calm', 'hello there')] })
    const streamable = Object.values<Operation>(operations).filter(canStream)
    expect(streamable.map(({ name }) => name)).toEqual(['generate'])
    const reply = await core.run(operations.generate, caller, { model: 'any', prompt: 'x', stream: true })
    if (!reply.success || !('events' in reply)) throw new Error('this should have been a stream')
    const iterator = reply.events[Symbol.asyncIterator]()
    expect(await iterator.next()).toMatchObject({ value: { type: 'chunk', chunk: { content: 'hello' } } })
    expect(await iterator.return?.()).toMatchObject({ done: true })
  })
})
