import { ProviderError, lastPrompt } from '@fairlead/core/provider'
import { describe, expect, onTestFinished, test } from 'vitest'
import { body, good, type Make, modified, replays, runTitled } from './run-sample.ts'
import { suiteKinds } from './suite-options.ts'

/** Sends messages without a field of its tool results, or tools without a field. */
function without(list: 'messages' | 'tools', field: string): Make {
  return body((request) => ({
    ...request,
    [list]: JSON.parse(JSON.stringify(request[list] ?? [], (name, value) => (name === field ? undefined : value))),
  }))
}

const abandoned: Make = modified(({ generateText }) => ({
  generateText: (request, call) =>
    generateText(request, call).catch((error: unknown) => {
      throw call.signal.aborted ? new ProviderError('timeout', 'the call was aborted') : error
    }),
}))

function everySecond(): () => void {
  const timer = setInterval(() => {}, 1_000)
  const stop = () => clearInterval(timer)
  onTestFinished(stop)
  return stop
}

/** Each bad provider, the test that fails for it, the message, and how it is made. */
const badProviders: readonly (readonly [string, string, string, Make])[] = [
  [
    'loses isError of a tool result',
    'sends isError of a tool result or warns (text)',
    '"isError of messages" is neither sent to the API nor named in a warning',
    without('messages', 'isError'),
  ],
  [
    'drops strict of a tool',
    'sends strict of a tool or warns (stream)',
    '"strict of tools" is neither sent to the API nor named in a warning',
    without('tools', 'strict'),
  ],
  [
    'drops strict of a responseFormat',
    'sends strict of a responseFormat or warns (text)',
    '"strict of responseFormat" is neither sent to the API nor named in a warning',
    body(({ responseFormat, ...request }) => ({
      ...request,
      responseFormat: { ...responseFormat, strict: undefined },
    })),
  ],
  [
    'warns about a setting that it sends',
    'sends seed or warns (text, its default to 4711)',
    '"seed" is sent to the API, and yet a warning names it',
    modified(({ generateText }) => ({
      generateText: async (request, call) => ({
        ...(await generateText(request, call)),
        ...(request.seed !== undefined && { warnings: [{ field: 'seed', issue: 'is not supported' }] }),
      }),
    })),
  ],
  [
    'rejects an aborted call with an error of its own',
    'hangs up within a second of an abort before the reply (text)',
    "an aborted call must reject with the signal's reason",
    abandoned,
  ],
  [
    'rejects a call that was aborted before it with an error of its own',
    'starts no work for an aborted call (text)',
    "an aborted call must reject with the signal's reason",
    abandoned,
  ],
  [
    'puts the prompt into an error',
    'puts no prompt into an error (text)',
    'the error for status 400 has the text of the prompt',
    modified(({ generateText }) => ({
      generateText: (request, call) =>
        generateText(request, call).catch((error: unknown) => {
          const cause = new Error(`could not send "${lastPrompt(request)}"`)
          throw call.signal.aborted ? error : new ProviderError('retry', 'the call failed', { cause })
        }),
    })),
  ],
  [
    'leaves a timer running for each call',
    'clears its timers when a call ends (text)',
    'timers that still run after their calls',
    modified(({ generateText }) => ({
      generateText(request, call) {
        everySecond()
        return generateText(request, call)
      },
    })),
  ],
  [
    'has no close for what it started',
    'leaves nothing running after close',
    'what `close` leaves running',
    modified(() => {
      everySecond()
      return {}
    }),
  ],
  [
    'has a close that ends nothing',
    'leaves nothing running after close',
    'what `close` leaves running',
    modified(() => {
      everySecond()
      return { close: async () => {} }
    }),
  ],
]

describe('the provider suite fails for a provider that', () => {
  test.each(badProviders)('the provider suite fails for a provider that %s', async (_case, title, message, make) => {
    await expect(runTitled(title, make)).rejects.toThrow(message)
    expect(await runTitled(title, good)).toBeUndefined()
  })
})

test('the provider suite fails for a provider that keeps its requests, and names each kind of them', async () => {
  const make = modified((sample) => {
    const kept: unknown[] = []
    function keep<Request>(request: Request): Request {
      kept.push(request)
      return request
    }
    return {
      generateText: (request, call) => sample.generateText(keep(request), call),
      streamText: (request, call) => sample.streamText(keep(request), call),
      generateImage: (request, call) => sample.generateImage(keep(request), call),
      analyze: (request, call) => sample.analyze(keep(request), call),
      embed: (request, call) => sample.embed(keep(request), call),
    }
  })
  const message = `are still in use after 50 calls (${suiteKinds.join(', ')})`
  await expect(runTitled('keeps no prompt in memory after its calls', make)).rejects.toThrow(message)
})

test('the provider suite names only the kind whose requests a provider keeps', async () => {
  const make = modified(({ generateText }) => {
    const kept: unknown[] = []
    return {
      generateText(request, call) {
        kept.push(request)
        return generateText(request, call)
      },
    }
  })
  const given = replays.filter(({ kind }) => kind === 'text' || kind === 'image')
  const run = runTitled('keeps no prompt in memory after its calls', make, given)
  await expect(run).rejects.toThrow('are still in use after 50 calls (text)')
})

test('a provider that keeps no request passes', async () => {
  expect(await runTitled('keeps no prompt in memory after its calls', good)).toBeUndefined()
})

test('a provider whose close ends what it started passes', async () => {
  const make = modified(() => ({ close: async () => stop() }))
  const stop = everySecond()
  expect(await runTitled('leaves nothing running after close', make)).toBeUndefined()
})
