import { computingMs } from '@fairlead/testing'
import { scripted, fakeTextModel } from '../fakes/fake-providers.ts'
import { type Provider, ProviderError, type TextRequest, lastPrompt, answerText } from '@fairlead/core/provider'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { good, habit, type Make, modified, records, replays, runTitled } from './run-sample.ts'
import { swapped } from './sample-provider.ts'
import { methodOf, suiteKinds } from './suite-options.ts'

/** The sample whose texts are changed. */
const content = (change: (text: string) => string): Make =>
  modified(({ generateText }) => ({
    async generateText(request, call) {
      const answer = await generateText(request, call)
      return { ...answer, parts: [{ type: 'text', text: change(answerText(answer)) }] }
    },
  }))

function busy(ms: number): void {
  const end = computingMs() + ms
  while (computingMs() < end);
}

/** Each bad provider, the test that fails for it, and how it is made. */
const badProviders: readonly (readonly [string, string, Make])[] = [
  [
    'stops later than a second after an abort',
    'hangs up within a second of an abort before the reply (text)',
    modified(({ generateText }) => ({
      generateText: (request, call) => generateText(request, { ...call, signal: new AbortController().signal }),
    })),
  ],
  [
    'is healthy without its upstream',
    'fails its health check when the upstream hangs up',
    modified(() => ({ health: async () => {} })),
  ],
  ...['a constant', 'an estimate from the prompt'].map((source): readonly [string, string, Make] => [
    `takes its token counts from ${source}`,
    'reads the token counts of the reply (text)',
    modified(({ generateText }) => ({
      async generateText(request, call) {
        const promptTokens = source === 'a constant' ? 4 : Math.ceil(lastPrompt(request).length / 4)
        return { ...(await generateText(request, call)), usage: { promptTokens, completionTokens: 2 } }
      },
    })),
  ]),
  [
    'always ends with stop',
    'ends with length when the reply was cut off (text)',
    modified(({ generateText }) => ({
      generateText: async (request, call) => ({ ...(await generateText(request, call)), finishReason: 'stop' }),
    })),
  ],
  [
    'does not name the field that it cannot read',
    'names the missing field of a reply that it cannot read (text)',
    modified(({ generateText }) => ({
      generateText: (request, call) =>
        generateText(request, call).catch(() => {
          throw new ProviderError('retry', 'the reply is odd')
        }),
    })),
  ],
  ['cuts the content', 'returns the content unchanged (text)', content((text) => text.slice(0, 10_000))],
  ['trims the content', 'returns the content unchanged (text)', content((text) => text.trim())],
  ['flattens the content', 'returns the content unchanged (text)', content((text) => text.replaceAll('\n', ' '))],
  [
    'exchanges pieces of a stream',
    'keeps the order of the pieces',
    modified(({ streamText }) => ({ streamText: (request, call) => swapped(streamText(request, call)) })),
  ],
  [
    'collects a stream before it passes it on',
    'passes on each piece as it arrives',
    modified(({ streamText }) => ({
      async *streamText(request, call) {
        const events = []
        for await (const event of streamText(request, call)) events.push(event)
        yield* events
      },
    })),
  ],
  ['retries by itself', 'sends each request once and leaves retries to core (text)', habit({ tries: 2 })],
  ['follows redirects', 'follows no redirect to another host (text)', habit({ redirect: 'follow' })],
  [
    'mixes up two calls',
    'keeps two calls at once apart (text)',
    modified(({ generateText }) => {
      let latest: TextRequest
      return {
        async generateText(request, call) {
          latest = request
          await Promise.resolve()
          return generateText(latest, call)
        },
      }
    }),
  ],
  [
    'keeps settings for the next call',
    'sends the same request after any other (text)',
    modified(({ generateText }) => {
      const settings: { seed?: number } = {}
      return {
        generateText: (request, call) => generateText({ ...Object.assign(settings, request) }, call),
      }
    }),
  ],
  [
    'aborts all its calls with one',
    'does not abort other calls (text)',
    modified(({ generateText }) => {
      const shared = new AbortController()
      return {
        generateText(request, call) {
          call.signal.addEventListener('abort', () => shared.abort(call.signal.reason))
          return generateText(request, { ...call, signal: shared.signal })
        },
      }
    }),
  ],
  ...[402, 409, 529].map((status): readonly [string, string, Make] => [
    `throws a string for status ${status}`,
    `classifies status ${status} and reveals no secret (text)`,
    habit({ toError: () => `failed with ${status}` }),
  ]),
  [
    'changes its input',
    'reads the documented reply (text)',
    modified(({ generateText }) => ({
      generateText(request, call) {
        Object.assign(request, { temperature: 0.35 })
        return generateText(request, call)
      },
    })),
  ],
  [
    'blocks the event loop',
    'does not block the event loop for more than 50 ms (text, replayed)',
    modified(({ generateText }) => ({
      generateText(request, call) {
        busy(120)
        return generateText(request, call)
      },
    })),
  ],
]

describe('the provider suite fails for a provider that', () => {
  test.each(badProviders)('the provider suite fails for a provider that %s', async (_case, title, make) => {
    await expect(runTitled(title, make)).rejects.toThrow('The provider ')
    // The same test passes for the good provider, or can't apply to it.
    await runTitled(title, good)
  })

  test.each(suiteKinds)(
    'the provider suite fails for a provider that has no replay for its method (%s)',
    async (kind) => {
      const others = replays.filter((replay) => replay.kind !== kind)
      const needed = `the suite needs replay.${kind}: record it`
      await expect(runTitled(`has a replay for ${methodOf[kind]}`, good, others)).rejects.toThrow(needed)
    },
  )

  test('the provider suite fails for a provider that calls an HTTP API and has no replay at all', async () => {
    await expect(runTitled('returns a text', good, [])).rejects.toThrow('needs a replay')
  })
})

describe('the provider suite fails for a local provider that', () => {
  const local = scripted('local', 'hello there')
  const slow: Provider = { ...local, generateText: () => new Promise(() => {}) }
  const blocking: Provider = {
    ...local,
    async generateText(request, call) {
      busy(120)
      return local.generateText!(request, call)
    },
  }
  test.each<[string, string, Provider]>([
    ['stops later than a second after an abort', 'stops within a second of an abort (text)', slow],
    ['blocks the event loop', 'does not block the event loop for more than 50 ms (text)', blocking],
    ['always ends with stop', 'ends with length when maxTokens is reached (text)', local],
    ['ignores stop sequences', 'names the stop sequence that ended the text (text)', local],
    ['counts the same tokens for every prompt', 'counts more tokens for a longer prompt (text)', local],
  ])('the provider suite fails for a local provider that %s', async (_case, title, provider) => {
    await expect(runTitled(title, () => provider, [])).rejects.toThrow('The provider ')
  })
})

describe('a failing test of the provider suite', () => {
  afterEach(() => vi.restoreAllMocks())

  test('a failing test of the provider suite prints the rejection and the reply that caused it', async () => {
    const make = habit({ toError: (status) => new ProviderError('credential', `no luck with ${status}`) })
    const failing = runTitled('classifies status 503 and reveals no secret (text)', make)
    await expect(failing).rejects.toThrow(/The provider rejected with ProviderError: no luck with 503/)
    await expect(failing).rejects.toThrow(/The upstream last replied: 503 .*you sent/)
  })
})

test('a provider that lists its models without its upstream has nothing to hang up', async () => {
  const make = modified(() => ({ models: async () => [fakeTextModel()] }))
  expect(await runTitled('hangs up when its model list is aborted', make)).toBeUndefined()
})

test('a model that is not structured needs no schema', async () => {
  const make = modified(() => ({ models: [fakeTextModel()] }))
  expect(await runTitled('sends the schema of a responseFormat or warns (text)', make)).toBe(
    'its model is not listed as structured',
  )
})

test('the provider suite names the call that a provider does not settle', async () => {
  const hanging = modified(() => ({ generateText: () => new Promise<never>(() => {}) }))
  const running = runTitled('reads the documented reply (text)', hanging, replays, records, 50)
  await expect(running).rejects.toThrow('The provider has not settled its call (text)')
})
