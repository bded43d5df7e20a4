import { ProviderError } from '@fairlead/core/provider'
import { describe, expect, test } from 'vitest'
import { good, habit, type Make, modified, runTitled } from './run-sample.ts'

const leaking = (spell: (apiKey: string) => string): Make =>
  habit({ toError: (_status, _words, apiKey) => new ProviderError('credential', `${spell(apiKey)} was refused`) })

/** Each bad provider, the test that fails for it, and how it is made. */
const badProviders: readonly (readonly [string, string, Make])[] = [
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
    'reveals the last six characters of its key',
    'classifies status 401 and reveals no secret (text)',
    leaking((key) => `…${key.slice(-6)}`),
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
]

describe('the provider suite fails for a provider that', () => {
  test.each(badProviders)('the provider suite fails for a provider that %s', async (_case, title, make) => {
    await expect(runTitled(title, make)).rejects.toThrow('The provider ')
    // The same test passes for the good provider, or can't apply to it.
    await runTitled(title, good)
  })
})
