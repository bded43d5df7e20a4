import { failing, held, scripted } from '@fairlead/testing'
import type { ObservedAttempt } from '@fairlead/core'
import { describe, expect, test } from 'vitest'
import { createMetrics } from './metrics.ts'
import { serveApp, type ServeAppOptions } from './testing/serve-app.ts'

async function served(core: ServeAppOptions['core']) {
  const { ask, addCaller } = await serveApp({ core })
  const { credentials } = await addCaller({ user: { role: 'admin' } })
  return {
    async generate(input: object = {}) {
      const body = JSON.stringify({ model: 'any', prompt: 'x', ...input })
      const reply = await ask('/generate', { method: 'POST', headers: { 'content-type': 'application/json' }, body })
      return reply.text()
    },
    metrics: async () => {
      const reply = await ask('/metrics', { headers: { authorization: `Bearer ${credentials.token}` } })
      return (await reply.text()).split('\n')
    },
  }
}

const line = (name: string, labels: string, value: number) => `fairlead_provider_${name}{${labels}} ${value}`

describe('GET /metrics', () => {
  test('GET /metrics counts the attempts of a target by class of failure', async () => {
    const providers = [failing('shaky', 'retry'), scripted('calm', 'hello there')]
    const routes = { both: { targets: ['shaky/any', 'calm/any'] } }
    const { generate, metrics } = await served({ providers, routes })
    await generate({ model: 'both' })
    await generate({ model: 'both', stream: true })
    const lines = await metrics()
    expect(lines).toContain(line('calls_total', 'provider="shaky",target="any"', 2))
    expect(lines).toContain(line('calls_total', 'provider="calm",target="any"', 2))
    expect(lines).toContain(line('failures_total', 'provider="shaky",target="any",failure="retry"', 2))
    expect(lines.filter((each) => each.startsWith('fairlead_provider_failures_total{provider="calm"'))).toEqual([])
    for (const kind of ['whole', 'stream']) {
      expect(lines).toContain(line('answer_seconds_count', `provider="calm",target="any",kind="${kind}"`, 1))
    }
  })

  test('GET /metrics reports the state of circuit breakers', async () => {
    const { generate, metrics } = await served({ providers: [failing('shaky', 'retry')], circuit: { failures: 1 } })
    await generate()
    const lines = await metrics()
    expect(lines).toContain(line('circuits', 'provider="shaky",target="any",state="open"', 1))
    expect(lines).toContain(line('circuits', 'provider="shaky",target="any",state="closed"', 0))
  })

  test('GET /metrics reports the running and queued calls of a target', async () => {
    const slow = held('slow')
    const { generate, metrics } = await served({ providers: [slow], concurrency: { perTarget: 1 } })
    const calls = [generate(), generate(), generate()]
    await expect.poll(metrics).toContain(line('calls_queued', 'provider="slow",target="any"', 2))
    expect(await metrics()).toContain(line('calls_in_flight', 'provider="slow",target="any"', 1))
    const releaseOne = () => {
      slow.release('hello')
      return slow.calls.length
    }
    await expect.poll(releaseOne).toBe(3)
    slow.release('hello')
    await Promise.all(calls)
    expect(await metrics()).toContain(line('calls_in_flight', 'provider="slow",target="any"', 0))
  })
})

test('targets after the first 200 share a label', async () => {
  const { observer, text } = createMetrics()
  const busy = { circuit: { state: 'closed' }, bulkhead: { inFlight: 1, queued: 0 } } as const
  for (let index = 0; index < 1_000; index++) {
    const target = { provider: 'vast', id: `m${index}`, ...busy }
    observer.targetAdded?.(target)
    observer.attemptStarted?.({ target } as ObservedAttempt)
  }
  const lines = (await text()).split('\n')
  expect(lines.filter((each) => each.startsWith('fairlead_provider_calls_total{'))).toHaveLength(201)
  expect(lines).toContain(line('calls_total', 'provider="vast",target="other"', 800))
  expect(lines).toContain(line('calls_in_flight', 'provider="vast",target="other"', 800))
})

test('a target that replaces another one keeps its labels', async () => {
  const { observer, text } = createMetrics()
  const state = { circuit: { state: 'closed' }, bulkhead: { inFlight: 0, queued: 0 } } as const
  // As after the key of a provider has changed, while calls of the earlier one are in flight.
  for (let index = 0; index < 300; index++) {
    const target = { provider: 'vast', id: `m${index % 150}`, ...state }
    observer.targetAdded?.(target)
    observer.attemptStarted?.({ target } as ObservedAttempt)
  }
  const lines = (await text()).split('\n')
  expect(lines).toContain(line('calls_total', 'provider="vast",target="m149"', 2))
  expect(lines.filter((each) => each.includes('target="other"'))).toEqual([])
})
