import { lastPrompt } from '@fairlead/core/provider'
import { describe, expect, test } from 'vitest'
import { body, good, type Make, modified, runTitled } from './run-sample.ts'

/** The sample whose prompts are changed. */
const prompt = (change: (text: string) => string) =>
  body((request) => ({
    ...request,
    messages: [{ role: 'user', content: [{ type: 'text', text: change(lastPrompt(request)) }] }],
  }))

/** Each bad provider, the test that fails for it, and how it is made. */
const badProviders: readonly (readonly [string, string, Make])[] = [
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
]

describe('the provider suite fails for a provider that', () => {
  test.each(badProviders)('the provider suite fails for a provider that %s', async (_case, title, make) => {
    await expect(runTitled(title, make)).rejects.toThrow('The provider ')
    // The same test passes for the good provider, or can't apply to it.
    await runTitled(title, good)
  })
})

test('the provider suite names the setting that a provider drops', async () => {
  const dropping = body(({ maxTokens: _maxTokens, ...r }) => r)
  const running = runTitled('sends maxTokens or warns (text, its default to 47)', dropping)
  await expect(running).rejects.toThrow('"maxTokens" is neither sent to the API nor named in a warning')
})
