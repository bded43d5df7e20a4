import { AsyncLocalStorage } from 'node:async_hooks'
import { describe, expect, test } from 'vitest'
import { embedder, failing, held, fakePainter, scripted, sequenced, fakeTextModel, testCore } from '@fairlead/testing'
import type { ObservedAttempt } from '../gateway/routing/attempt-observer.ts'
import { ProviderError } from '../gateway/provider-error.ts'
import type { ObservedCall } from '../runtime/observer.ts'
import { textAnswer, textEvents } from '../gateway/messages/text-answer.ts'
import type { Observer } from './observer.ts'
import { operations } from '@fairlead/testing/workspace'

type Options = Parameters<typeof testCore>[0]

/** A core whose events are recorded when they happen. */
async function observed(options: Options = {}) {
  const events: unknown[][] = []
  const calls: ReturnType<typeof factsOfCall>[] = []
  const attempts: ReturnType<typeof factsOfAttempt>[] = []
  const observer: Observer = {
    callEnded: (call, durationMs) => calls.push(factsOfCall(call, durationMs)),
    targetAdded: ({ provider, id }) => events.push(['targetAdded', `${provider}/${id}`]),
    attemptStarted: ({ target, model }) => events.push(['attemptStarted', `${target.provider}/${model}`]),
    attemptResponded: (_attempt, ms) => events.push(['attemptResponded', ms]),
    attemptEnded: (attempt) => attempts.push(factsOfAttempt(attempt)),
    circuitOpened: ({ provider }, account) => events.push(['circuitOpened', provider, account]),
    circuitClosed: ({ provider }) => events.push(['circuitClosed', provider]),
  }
  return { ...(await testCore({ observer, ...options })), events, calls, attempts }
}

function factsOfCall({ operation, caller, outcome, modelCall, at, firstChunkAt }: ObservedCall, durationMs: number) {
  const firstChunkMs = firstChunkAt === undefined ? undefined : firstChunkAt - at
  return { name: operation.name, kind: caller.kind, outcome, modelCall: { ...modelCall }, firstChunkMs, durationMs }
}

function factsOfAttempt({ capability, model, outcome, answer, response, error, requestId }: ObservedAttempt) {
  return { capability, model, outcome, answer, response, error, requestId }
}

const prompt = { model: 'any', prompt: 'x' }

describe('callEnded', () => {
  test('callEnded has the model, the cost, and the tokens of a call', async () => {
    const priced = { ...scripted('calm', 'hello there'), models: [fakeTextModel({ pricing: { input: 1, output: 2 } })] }
    const { core, caller, calls } = await observed({ providers: [priced] })
    await core.run(operations.generate, caller, prompt)
    expect(calls).toMatchObject([
      {
        name: 'generate',
        kind: 'account',
        outcome: 'ok',
        modelCall: { model: 'any', provider: 'calm', attempts: 1, promptTokens: 2, completionTokens: 2 },
        durationMs: 0,
      },
    ])
    expect(calls[0]?.modelCall.costUsd).toBeCloseTo(6e-6)
  })

  test('callEnded follows the end of a stream, and has the time of its first chunk', async () => {
    const { fairlead, clock, calls } = await observed()
    const stream = fairlead.generate.stream(prompt)
    const chunks = stream[Symbol.asyncIterator]()
    await chunks.next()
    clock.advance(70)
    expect(calls).toEqual([])
    await stream.result()
    expect(calls).toMatchObject([{ outcome: 'ok', kind: 'embedded', firstChunkMs: 0, durationMs: 70 }])
  })

  test('callEnded is called once for each call, whatever its outcome', async () => {
    const providers = [failing('down', 'retry'), held('slow')]
    const { core, caller, calls } = await observed({ providers })
    await core.run(operations.generate, { kind: 'none' }, prompt)
    await core.run(operations.generate, caller, { prompt: 'x' })
    await core.run(operations.shipment, caller, { id: 'shp_1' })
    await core.run(operations.generate, caller, { ...prompt, model: 'down/any' })
    const leaving = core.run(operations.generate, caller, prompt, { onCall: (call) => void call.leave() })
    await leaving
    expect(calls.map(({ outcome }) => outcome)).toEqual([
      'UNAUTHORIZED',
      'INVALID_REQUEST',
      'NOT_FOUND',
      'PROVIDER_ERROR',
      'aborted',
    ])
  })

  test('callEnded is partial for a stream that breaks off or that its reader closes', async () => {
    const breaking = {
      ...scripted('calm', ''),
      async *streamText() {
        yield* begunText()
        throw new ProviderError('retry', 'lost')
      },
    }
    const { fairlead, calls } = await observed({ providers: [breaking] })
    await expect(fairlead.generate.stream(prompt).result()).rejects.toThrow('failed')
    const other = await observed()
    for await (const _ of other.fairlead.generate.stream(prompt)) break
    expect([...calls, ...other.calls].map(({ outcome }) => outcome)).toEqual(['partial', 'partial'])
  })
})

async function* begunText() {
  yield { type: 'start', response: { id: 'msg_1', model: 'any-2026' } } as const
  yield { type: 'part_start', index: 0, part: { type: 'text', text: '' } } as const
  yield { type: 'part_delta', index: 0, text: 'hello' } as const
}

describe('the events of attempts', () => {
  test('the events of attempts show each target, each attempt, and the time to its response', async () => {
    const { fairlead, events } = await observed({ providers: [scripted('calm', 'hello')] })
    await fairlead.generate(prompt)
    await fairlead.generate(prompt)
    expect(events).toEqual([
      ['targetAdded', 'calm/any'],
      ['attemptStarted', 'calm/any'],
      ['attemptResponded', 0],
      ['attemptStarted', 'calm/any'],
      ['attemptResponded', 0],
    ])
  })

  test('the events of attempts show the outcome of each attempt, and the error of one that failed', async () => {
    const routes = { both: { targets: ['shaky/any', 'calm/any'] } }
    const providers = [failing('shaky', 'rate_limited'), scripted('calm', 'hello')]
    const { core, caller, attempts } = await observed({ providers, routes })
    await core.run(operations.generate, caller, { ...prompt, model: 'both' }, { requestId: 'req_7' })
    expect(attempts).toMatchObject([
      { outcome: 'rate_limited', error: expect.any(ProviderError), answer: undefined, requestId: 'req_7' },
      { outcome: 'ok', error: undefined, answer: { finishReason: 'stop', usage: { promptTokens: 2 } } },
    ])
  })

  test.each([true, false])(
    'the events of attempts show what the provider reports, and no estimates (streamed: %s)',
    async (streamed) => {
      const response = { id: 'msg_1', model: 'any-2026' }
      const uncounted = {
        ...scripted('calm', ''),
        generateText: async () => textAnswer('hello', { response }),
        streamText: () => textEvents(['hello'], { response }),
      }
      const { fairlead, attempts } = await observed({ providers: [uncounted] })
      await (streamed ? fairlead.generate.stream(prompt).result() : fairlead.generate(prompt))
      expect(attempts).toMatchObject([
        { capability: streamed ? 'streamText' : 'generateText', response, answer: { finishReason: 'stop' } },
      ])
      expect(attempts[0]?.answer?.usage).toBeUndefined()
    },
  )

  test('the events of attempts name the response of a stream that breaks off', async () => {
    const breaking = {
      ...scripted('calm', ''),
      async *streamText() {
        yield* begunText()
        throw new ProviderError('retry', 'lost')
      },
    }
    const { fairlead, attempts } = await observed({ providers: [breaking] })
    await expect(fairlead.generate.stream(prompt).result()).rejects.toThrow('failed')
    expect(attempts).toMatchObject([{ outcome: 'retry', response: { id: 'msg_1' }, answer: undefined }])
  })

  test('the events of attempts show a stream that waits too long for the provider as a timeout, and one whose reader leaves as canceled', async () => {
    const stalling = {
      ...scripted('calm', ''),
      async *streamText() {
        yield* begunText()
        await new Promise(() => {})
      },
    }
    const { fairlead, clock, attempts } = await observed({ providers: [stalling], timeouts: { idleMs: 1_000 } })
    const failure = fairlead.generate
      .stream(prompt)
      .result()
      .catch((error: unknown) => error)
    await expect.poll(() => (clock.advance(1_001), attempts.length)).toBe(1)
    expect(await failure).toMatchObject({ code: 'PROVIDER_TIMEOUT' })
    for await (const _ of fairlead.generate.stream(prompt)) break
    expect(attempts.map(({ outcome }) => outcome)).toEqual(['timeout', 'canceled'])
  })

  test('the events of attempts show a canceled call as canceled, and count it as no failure', async () => {
    const slow = held('slow')
    const { fairlead, attempts } = await observed({ providers: [slow] })
    const leaving = new AbortController()
    const call = fairlead.generate(prompt, { signal: leaving.signal })
    await expect.poll(() => slow.calls.length).toBe(1)
    leaving.abort()
    await expect(call).rejects.toThrow('This operation was aborted')
    expect(attempts).toMatchObject([{ outcome: 'canceled', error: { name: 'AbortError' } }])
  })

  test('the events of attempts name the capability, and have the request that the provider got', async () => {
    const requests: unknown[] = []
    const observer = {
      attemptEnded: ({ capability, request }: ObservedAttempt) => requests.push([capability, request]),
    }
    const providers = [scripted('calm', 'hello'), fakePainter('brush'), embedder('map')]
    const { fairlead } = await testCore({ providers, observer })
    await fairlead.generate({ ...prompt, temperature: 0.5 })
    await fairlead.generateImage({ model: 'picture', prompt: 'x', size: '256x256' })
    await fairlead.embed({ model: 'vectors', texts: ['a', 'b'] })
    expect(requests).toMatchObject([
      ['generateText', { model: 'any', temperature: 0.5 }],
      ['generateImage', { model: 'picture', width: 256 }],
      ['embed', { model: 'vectors', texts: ['a', 'b'] }],
    ])
  })

  test('the events of attempts show when a circuit opens and closes', async () => {
    const providers = [sequenced('shaky', new ProviderError('retry', 'down'), 'hello')]
    const { fairlead, clock, events } = await observed({ providers, circuit: { failures: 1 } })
    await expect(fairlead.generate(prompt)).rejects.toThrow('failed')
    clock.advance(10_000)
    await fairlead.generate(prompt)
    const circuits = events.filter(([name]) => String(name).startsWith('circuit'))
    expect(circuits).toEqual([
      ['circuitOpened', 'shaky', undefined],
      ['circuitClosed', 'shaky'],
    ])
  })
})

describe('runAttempt', () => {
  test('runAttempt runs the provider in the context of each observer, in the order of the list', async () => {
    const context = new AsyncLocalStorage<readonly string[]>()
    const tracing = (name: string): Observer => ({
      runAttempt: (_attempt, work) => context.run([...(context.getStore() ?? []), name], work),
    })
    const seen: unknown[] = []
    const looking = {
      ...scripted('calm', ''),
      generateText: async () => (seen.push(context.getStore()), textAnswer('hello')),
      async *streamText() {
        yield* begunText()
        seen.push(context.getStore())
        yield* [{ type: 'part_end', index: 0 } as const, { type: 'finish', finishReason: 'stop' } as const]
      },
    }
    const { fairlead } = await testCore({ providers: [looking], observer: [tracing('outer'), {}, tracing('inner')] })
    await fairlead.generate(prompt)
    await fairlead.generate.stream(prompt).result()
    expect(seen).toEqual([
      ['outer', 'inner'],
      ['outer', 'inner'],
    ])
    expect(context.getStore()).toBeUndefined()
  })
})

describe('an observer that throws', () => {
  test('an observer that throws fails no call and no other observer, and is logged', async () => {
    let seen = 0
    const broken: Observer = {
      attemptStarted() {
        throw new TypeError('broken')
      },
    }
    const { fairlead, logged } = await testCore({ observer: [broken, { attemptStarted: () => void seen++ }] })
    expect(await fairlead.generate(prompt)).toMatchObject({ content: 'hello there' })
    expect(seen).toBe(1)
    expect(logged).toMatchObject([
      { level: 'error', message: 'an observer failed', facts: { event: 'attemptStarted' } },
    ])
  })
})

describe('an observer that is an instance of a class', () => {
  test('an observer that is an instance of a class keeps its `this`', async () => {
    class Counter {
      count = 0
      callEnded(): void {
        this.count++
      }
    }
    const counter = new Counter()
    const { fairlead } = await testCore({ observer: counter })
    await fairlead.generate(prompt)
    expect(counter.count).toBe(1)
  })
})
