import { describe, expect, test } from 'vitest'
import {
  failing,
  held,
  scripted,
  fakeTextModel,
  begun,
  testCore,
  type TestCoreOptions,
  whileTimePasses,
} from '@fairlead/testing'
import { operations } from '@fairlead/testing/workspace'
import { ProviderError, type Provider } from '@fairlead/core/provider'

/** Runs one request, and returns its record. */
async function fetchRecord(options: TestCoreOptions, input: object = {}) {
  const { fairlead, core, clock, caller } = await testCore(options)
  const sent = core.run(operations.generate, caller, { model: 'any', prompt: 'tell nobody', ...input })
  const reply = await whileTimePasses(clock, sent)
  const events: unknown[] = []
  if ('events' in reply) for await (const event of reply.events) events.push(event)
  const [record] = await fairlead.requests.list({})
  return { record, reply, core, clock, caller }
}

const busy = { upstream: { status: 529 }, retryAfterMs: 1 }

describe('the record of a request', () => {
  test('the record of a request that failed has the message that the caller got, and the status of the upstream', async () => {
    const { record, reply } = await fetchRecord({ providers: [failing('down', 'retry', busy)] })
    expect(record).toMatchObject({
      status: 'PROVIDER_UNAVAILABLE',
      errorMessage: 'The provider is busy. Try again later.',
      upstreamStatus: 529,
      provider: 'down',
      attempts: [{ provider: 'down', model: 'any', outcome: 'retry', upstreamStatus: 529, durationMs: 0 }],
    })
    expect(reply).toMatchObject({ error: { message: record?.errorMessage } })
    expect(JSON.stringify(record)).not.toContain('tell nobody')
  })

  test('the record of a request has each attempt of a success that needed several', async () => {
    const { record } = await fetchRecord(
      {
        providers: [failing('down', 'give_up', { upstream: { status: 402 } }), scripted('calm', 'hello')],
        routes: { smart: { targets: ['down/any', 'calm/any'] } },
      },
      { model: 'smart' },
    )
    expect(record).toMatchObject({
      status: 'ok',
      errorMessage: null,
      upstreamStatus: null,
      attempts: [
        { provider: 'down', model: 'any', outcome: 'give_up', upstreamStatus: 402 },
        { provider: 'calm', model: 'any', outcome: 'ok', upstreamStatus: null },
      ],
    })
  })

  test('the record of a request has the duration of an attempt', async () => {
    const { record } = await fetchRecord({ providers: [held('slow')], timeouts: { totalMs: 2_000 } })
    expect(record).toMatchObject({
      status: 'PROVIDER_TIMEOUT',
      attempts: [{ outcome: 'timeout', durationMs: 2_000, upstreamStatus: null }],
    })
  })

  test('the record of a request has the last ten of many attempts', async () => {
    const names = Array.from({ length: 12 }, (_, index) => `down-${index}`)
    const { record } = await fetchRecord(
      {
        providers: names.map((name) => failing(name, 'give_up')),
        routes: { smart: { targets: names.map((name) => `${name}/any`) } },
      },
      { model: 'smart' },
    )
    expect(record?.attempts.map(({ provider }) => provider)).toEqual(names.slice(2))
  })

  test('the record of a request says whether it was streamed', async () => {
    const providers = [scripted('calm', 'hello')]
    expect((await fetchRecord({ providers })).record).toMatchObject({ stream: false, cached: false, attempts: [] })
    expect((await fetchRecord({ providers }, { stream: true })).record).toMatchObject({ stream: true, attempts: [] })
  })

  test('the record of a stream that broke off has its error', async () => {
    const brittle: Provider = {
      contract: 2,
      id: 'brittle',
      models: [fakeTextModel()],
      async *streamText() {
        yield* begun('one ')
        throw new ProviderError('retry', 'the connection was lost', { upstream: { status: 500 } })
      },
    }
    const { record } = await fetchRecord({ providers: [brittle] }, { stream: true })
    expect(record).toMatchObject({
      status: 'partial',
      errorMessage: 'The provider failed. Try again later.',
      upstreamStatus: 500,
      attempts: [{ outcome: 'retry' }],
    })
  })

  test('the record of a request that its client left says so', async () => {
    const provider = held('slow')
    const { fairlead, core, caller } = await testCore({ providers: [provider] })
    const leaving = new AbortController()
    const input = { model: 'any', prompt: 'x' }
    const running = core.run(operations.generate, caller, input, { signal: leaving.signal })
    await expect.poll(() => provider.calls.length).toBe(1)
    leaving.abort()
    await running
    expect(await fairlead.requests.list({})).toMatchObject([
      { status: 'aborted', errorMessage: 'Client closed the request.', attempts: [{ outcome: 'canceled' }] },
    ])
  })

  test('the record of a request has no characters that a store cannot keep', async () => {
    const detail = 'bad\u0000 \ud800 text\n'
    const { record } = await fetchRecord({ providers: [failing('picky', 'content_refused', { detail })] })
    expect(record).toMatchObject({ status: 'CONTENT_REFUSED', errorMessage: 'bad  \ufffd text ' })
  })
})
