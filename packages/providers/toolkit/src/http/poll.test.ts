import { getEventListeners } from 'node:events'
import { type Clock, ProviderError } from '@fairlead/core/provider'
import { replaying, type RecordedReply, testClock } from '@fairlead/testing'
import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import type { HttpClientOptions } from '../index.ts'
import { apiKey, textUpstream } from '../testing/text-upstream.ts'

const { client, upstream } = textUpstream()
const { signal } = new AbortController()

const running: RecordedReply = { json: { status: 'running' } }
const done: RecordedReply = { json: { status: 'done', text: 'hello' } }
const busy: RecordedReply = { status: 503, json: {} }

const job = {
  path: '/jobs/1',
  schema: z.object({ status: z.string(), text: z.string().optional() }),
  signal,
  everyMs: 1_000,
  until: ({ status }: { readonly status: string }) => status !== 'running',
}

/** A client whose upstream gives one reply after the other, and the last one for ever. Waits end at once, and are recorded. */
function setup(replies: readonly RecordedReply[], options: Partial<HttpClientOptions> = {}) {
  upstream().answer((response, request) =>
    replaying(replies[Math.min(upstream().requests.length, replies.length) - 1]!)(response, request),
  )
  const limits = { connectMs: 1e9 }
  const waits: number[] = []
  const still = testClock()
  const clock: Clock = {
    now: still.now,
    schedule(ms, run) {
      // Limits of the connection, and of the body of an error.
      if (ms >= 1e8 || ms === 5_000) return still.schedule(ms, run)
      waits.push(ms)
      setImmediate(() => {
        still.advance(ms)
        run()
      })
      return () => {}
    },
  }
  return { ...client({ clock, timeouts: limits, ...options }), waits }
}

describe('poll', () => {
  test('poll asks again until the work is done, and returns the last reply', async () => {
    const { poll, waits } = setup([running, running, done])
    expect(await poll(job)).toEqual({ status: 'done', text: 'hello' })
    expect(waits).toEqual([1_000, 1_000])
    expect(upstream().requests[0]).toMatchObject({ method: 'GET', path: '/v1/jobs/1' })
  })

  test('poll maps the last reply, and adds the facts of its headers', async () => {
    const { poll } = setup([running, { ...done, headers: { 'x-request-id': 'req_abc' } }])
    const answer = await poll(job, ({ text }) => ({ text }))
    expect(answer).toEqual({ text: 'hello', response: { requestId: 'req_abc' } })
  })

  test('poll waits as long as Retry-After says, but never shorter than it was told to', async () => {
    const after = (seconds: string): RecordedReply => ({ ...running, status: 202, headers: { 'retry-after': seconds } })
    const limited: RecordedReply = { status: 429, headers: { 'retry-after': '20' }, json: {} }
    const { poll, waits } = setup([after('7'), after('0.5'), limited, done])
    await poll(job)
    expect(waits).toEqual([7_000, 1_000, 20_000])
  })

  test('poll asks again after temporary failures, because the work goes on', async () => {
    const { poll, waits } = setup([busy, busy, running, busy, busy, done])
    expect(await poll(job)).toMatchObject({ text: 'hello' })
    expect(waits).toEqual([1_000, 1_000, 1_000, 1_000, 1_000])
  })

  test('poll fails after three failures in a row, of work that may be billed', async () => {
    const { poll } = setup([running, busy])
    await expect(poll(job)).rejects.toMatchObject({ failure: 'retry', mayBill: true, upstream: { status: 503 } })
    expect(upstream().requests).toHaveLength(4)
  })

  test.each([
    [404, 'give_up'],
    [400, 'invalid_request'],
    [401, 'credential'],
  ])('poll fails at once with the status %i', async (status, failure) => {
    const { poll } = setup([{ status, json: {} }])
    await expect(poll(job)).rejects.toMatchObject({ failure })
    expect(upstream().requests).toHaveLength(1)
  })

  test('poll redacts the errors of its mapping', async () => {
    const { poll } = setup([{ json: { status: 'failed', text: `no such key: ${apiKey}` } }])
    const failing = poll(job, ({ text = '' }) => {
      throw new ProviderError('give_up', text)
    })
    await expect(failing).rejects.toMatchObject({ failure: 'give_up', message: 'acme: no such key: [redacted]' })
  })

  test('poll hears an abort while it waits', async () => {
    const { poll } = setup([running])
    const leaving = new AbortController()
    const reason = new Error('the caller left')
    // Nobody advances this clock, so that only the abort ends the wait.
    const clock = testClock()
    const waiting = Promise.withResolvers<void>()
    const schedule: Clock['schedule'] = (ms, run) => {
      if (ms === job.everyMs) waiting.resolve()
      return clock.schedule(ms, run)
    }
    const call = client({ clock: { now: clock.now, schedule } }).poll({ ...job, signal: leaving.signal })
    await waiting.promise
    leaving.abort(reason)
    await expect(call).rejects.toBe(reason)
    expect(upstream().requests).toHaveLength(1)
    expect(getEventListeners(leaving.signal, 'abort')).toEqual([])
    await expect(poll({ ...job, signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
  })

  test('poll rejects a pause of no time', async () => {
    await expect(setup([running]).poll({ ...job, everyMs: 0 })).rejects.toThrow('everyMs must be a number above 0')
  })
})

describe('withOneKey', () => {
  test('withOneKey uses the key that began the work for all its requests', async () => {
    const { withOneKey, poll } = setup([running, running, done], { apiKey: ['key-one', 'key-two'] })
    const work = withOneKey()
    await work.postJson({ path: '/jobs', body: {}, schema: job.schema, signal })
    await work.poll(job)
    expect(upstream().requests.map(({ headers }) => headers.authorization)).toEqual(Array(3).fill('Bearer key-one'))
    await poll(job)
    expect(upstream().requests.at(-1)?.headers.authorization).toBe('Bearer key-two')
  })
})
