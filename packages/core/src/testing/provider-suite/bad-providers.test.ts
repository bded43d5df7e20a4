import { afterEach, describe, expect, test, vi } from 'vitest'
import { promptIn } from '../../gateway/conversation.ts'
import type { Provider, TextRequest } from '../../gateway/provider.ts'
import { ProviderError } from '../../gateway/provider-error.ts'
import { scripted, textModel } from '../fake-providers.ts'
import { computingMs } from './event-loop.ts'
import { body, good, habit, type Make, modified, replays, runTitled } from './run-sample.ts'
import { sampleProvider, swapped } from './sample-provider.ts'
import { methodOf, suiteKinds } from './suite-options.ts'

/** The sample whose prompts are changed. */
const prompt = (change: (text: string) => string) =>
  body((request) => ({
    ...request,
    messages: [{ role: 'user', content: [{ type: 'text', text: change(promptIn(request.messages)!) }] }],
  }))
/** The sample whose texts are changed. */
const content = (change: (text: string) => string): Make =>
  modified(({ generateText }) => ({
    async generateText(request, call) {
      const answer = await generateText(request, call)
      return { ...answer, content: change(answer.content) }
    },
  }))
const leaking = (spell: (apiKey: string) => string): Make =>
  habit({ toError: (_status, _words, apiKey) => new ProviderError('credential', `${spell(apiKey)} was refused`) })

function busy(ms: number): void {
  const end = computingMs() + ms
  while (computingMs() < end);
}

const contradictory = (parts: Partial<Provider>): Make => modified(() => parts)
const metadata = 'describes its models without contradictions'

/** Each bad provider, the test that fails for it, and how it is made. */
const badProviders: readonly (readonly [string, string, Make])[] = [
  [
    'stops later than a second after an abort',
    'hangs up within a second of an abort before the reply (text)',
    modified(({ generateText }) => ({
      generateText(request, { signal, ...call }) {
        const late = new AbortController()
        signal.addEventListener('abort', () => setTimeout(() => late.abort(signal.reason), 1_500))
        return generateText(request, { ...call, signal: late.signal })
      },
    })),
  ],
  ...[1, 2, 3].map((kept): readonly [string, string, Make] => {
    const stops = ['END', 'HALT', 'FIN', 'STOP']
    const [from, to] = [stops.slice(0, kept), stops.slice(0, kept + 1)].map((list) => JSON.stringify(list))
    const title = `sends stop or warns (text, ${from} to ${to})`
    return [
      `drops all but ${kept} stop sequences`,
      title,
      body(({ stop, ...r }) => ({ ...r, stop: stop?.slice(0, kept) })),
    ]
  }),
  [
    'does not send maxTokens',
    'sends maxTokens or warns (text, its default to 47)',
    body(({ maxTokens: _maxTokens, ...r }) => r),
  ],
  [
    'raises small maxTokens',
    'sends maxTokens or warns (text, 47 to 1)',
    body((r) => ({ ...r, maxTokens: Math.max(47, r.maxTokens ?? 47) })),
  ],
  [
    'drops a temperature of 0',
    'sends temperature or warns (text, 0.7 to 0)',
    body((r) => ({ ...r, temperature: r.temperature || 0.7 })),
  ],
  [
    'clamps the temperature',
    'sends temperature or warns (text, 1.3 to 2)',
    body((r) => ({ ...r, temperature: Math.min(r.temperature ?? 1, 1.3) })),
  ],
  ['drops a topP of 0', 'sends topP or warns (text, 0.4 to 0)', body((r) => ({ ...r, topP: r.topP || 0.4 }))],
  [
    'drops a seed of 0',
    'sends seed or warns (text, its default to 0)',
    body((r) => ({ ...r, seed: r.seed || undefined })),
  ],
  [
    'clamps penalties from above',
    'sends frequencyPenalty or warns (text, 1.1 to 2)',
    body((r) => ({ ...r, frequencyPenalty: Math.min(1.1, r.frequencyPenalty ?? 0) })),
  ],
  [
    'clamps penalties from below',
    'sends presencePenalty or warns (text, -1.2 to -2)',
    body((r) => ({ ...r, presencePenalty: Math.max(-1.2, r.presencePenalty ?? 0) })),
  ],
  ['cuts a long prompt', 'sends the whole prompt or rejects it (text)', prompt((text) => text.slice(0, 4_000))],
  ['trims the prompt', 'sends the whole prompt or rejects it (text)', prompt((text) => text.trim())],
  ['sends one model for all', 'sends the requested model (text)', body((r) => ({ ...r, model: 'any' }))],
  [
    'does not send the schema',
    'sends the schema of a responseFormat or warns (text)',
    body(({ responseFormat: _format, ...r }) => r),
  ],
  [
    'replaces the schema',
    'sends the schema of a responseFormat or warns (text)',
    body(({ responseFormat, ...r }) => ({
      ...r,
      responseFormat: { ...responseFormat, schema: { type: 'object' } },
    })),
  ],
  [
    'ignores the size of an image',
    'sends the requested size',
    modified(({ generateImage }) => ({
      generateImage: (r, call) => generateImage({ ...r, width: 256, height: 256 }, call),
    })),
  ],
  [
    'ignores the tasks of an analysis',
    'requests each analysis task, or returns it',
    modified(({ analyze }) => ({ analyze: (r, call) => analyze({ ...r, tasks: ['sentiment'] }, call) })),
  ],
  [
    'warns whatever was requested',
    'warns only about settings that were requested (text)',
    modified(({ generateText }) => ({
      generateText: async (r, call) => ({
        ...(await generateText(r, call)),
        warnings: [{ field: 'seed', issue: 'is not supported' }],
      }),
    })),
  ],
  [
    'reports a warning before its stream that the answer lacks',
    'reads the documented reply (stream)',
    modified(({ streamText }) => ({
      streamText(r, call) {
        call.warn?.([{ field: 'seed', issue: 'is not supported' }])
        return streamText(r, call)
      },
    })),
  ],
  ['reveals its key', 'classifies status 401 and reveals no secret (text)', leaking((apiKey) => apiKey)],
  [
    'reveals its key in base64',
    'classifies status 401 and reveals no secret (text)',
    leaking((apiKey) => Buffer.from(`Bearer ${apiKey}`).toString('base64')),
  ],
  [
    'reveals a part of its key',
    'classifies status 401 and reveals no secret (text)',
    leaking((key) => key.slice(0, 14)),
  ],
  [
    'prints its key to the console',
    'reads the documented reply (text)',
    modified(({ generateText }, { apiKey }) => ({
      async generateText(request, call) {
        // oxlint-disable-next-line no-console -- this is the mistake
        console.warn('sending with', { key: apiKey })
        return generateText(request, call)
      },
    })),
  ],
  [
    'reveals its key in a warning',
    'reads the documented reply (text)',
    modified(({ generateText }, { apiKey }) => ({
      generateText: async (r, call) => ({
        ...(await generateText(r, call)),
        warnings: [{ field: null, issue: `the key ${apiKey} expires soon` }],
      }),
    })),
  ],
  [
    'reveals its key when it is aborted',
    'hangs up within a second of an abort before the reply (text)',
    modified(({ generateText }, { apiKey }) => ({
      generateText: (request, call) =>
        generateText(request, call).catch(() => {
          throw new ProviderError('give_up', `aborted the request with ${apiKey}`)
        }),
    })),
  ],
  [
    'reveals its key when its models are refused',
    'reveals no secret when its model list is refused',
    modified((_sample, { apiKey }) => ({
      models: async () => Promise.reject(new ProviderError('credential', `the key ${apiKey} is refused`)),
    })),
  ],
  [
    'reveals its key when its health check is refused',
    'reveals no secret when its health check is refused',
    modified((_sample, { apiKey }) => ({
      health: async () => Promise.reject(new ProviderError('credential', `the key ${apiKey} is refused`)),
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
        const promptTokens = source === 'a constant' ? 4 : Math.ceil(request.prompt.length / 4)
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
  ['has a maxTokens above its contextSize', metadata, contradictory({ models: [textModel({ contextSize: 100 })] })],
  ['lists a model twice', metadata, contradictory({ models: [textModel(), textModel()] })],
  [
    'has a price that no prompt can reach',
    metadata,
    contradictory({
      models: [
        textModel({
          contextSize: 1_000,
          pricing: { input: 1, output: 1, longPrompts: { above: 1_000, input: 2, output: 2 } },
        }),
      ],
    }),
  ],
  ['has a capacity for an unknown model', metadata, contradictory({ capacities: [{ ids: ['none'], concurrency: 1 }] })],
  ['has a method analyze and no analyzers', metadata, contradictory({ analyzers: [] })],
  [
    'lists a streaming model and cannot stream',
    metadata,
    ({ url, apiKey }) => {
      const { streamText: _streamText, ...rest } = sampleProvider({ url, apiKey })
      return { ...rest, models: [textModel({ streaming: true })] }
    },
  ],
  ['lists a model with tools that is not chat', metadata, contradictory({ models: [textModel({ tools: true })] })],
  [
    'lists an embedding model without a method',
    metadata,
    ({ url, apiKey }) => {
      const { embed: _embed, ...rest } = sampleProvider({ url, apiKey })
      return rest
    },
  ],
  ['lists a model without a method', metadata, () => ({ contract: 1, id: 'mute', models: [textModel()] })],
]

describe('the provider suite fails for a provider that', () => {
  test.each(badProviders)('%s', async (_case, title, make) => {
    await expect(runTitled(title, make)).rejects.toThrow('The provider ')
    // The same test passes for the good provider, or can't apply to it.
    await runTitled(title, good)
  })

  test.each(suiteKinds)('has no replay for its method (%s)', async (kind) => {
    const others = replays.filter((replay) => replay.kind !== kind)
    const needed = `the suite needs replay.${kind}: record it`
    await expect(runTitled(`has a replay for ${methodOf[kind]}`, good, others)).rejects.toThrow(needed)
  })

  test('calls an HTTP API and has no replay at all', async () => {
    await expect(runTitled('returns a text', good, [])).rejects.toThrow('needs a replay')
  })
})

describe('the provider suite fails for a local provider that', () => {
  const local = scripted('local', 'hello there')
  const slow: Provider = { ...local, generateText: () => new Promise((resolve) => setTimeout(resolve, 1_500)) as never }
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
  ])('%s', async (_case, title, provider) => {
    await expect(runTitled(title, () => provider, [])).rejects.toThrow('The provider ')
  })
})

describe('a failing test of the provider suite', () => {
  afterEach(() => vi.restoreAllMocks())

  test('prints the rejection and the reply that caused it', async () => {
    const make = habit({ toError: (status) => new ProviderError('credential', `no luck with ${status}`) })
    const failing = runTitled('classifies status 503 and reveals no secret (text)', make)
    await expect(failing).rejects.toThrow(/The provider rejected with ProviderError: no luck with 503/)
    await expect(failing).rejects.toThrow(/The upstream last replied: 503 .*you sent/)
  })
})

test('a provider that lists its models without its upstream has nothing to hang up', async () => {
  const make = modified(() => ({ models: async () => [textModel()] }))
  expect(await runTitled('hangs up when its model list is aborted', make)).toBeUndefined()
})

test('a model that is not structured needs no schema', async () => {
  const make = modified(() => ({ models: [textModel()] }))
  expect(await runTitled('sends the schema of a responseFormat or warns (text)', make)).toBe(
    'its model is not listed as structured',
  )
})
