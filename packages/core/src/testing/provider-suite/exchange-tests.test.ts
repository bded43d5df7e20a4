import { describe, expect, test } from 'vitest'
import type { Provider, TextRequest } from '../../gateway/provider.ts'
import type { Issue } from '../../runtime/errors.ts'
import { ProviderError } from '../../gateway/provider-error.ts'
import { textModel } from '../fake-providers.ts'
import { parameterTests } from './parameter-tests.ts'
import { statusTests } from './status-tests.ts'
import type { SuiteUpstream } from './suite-options.ts'
import type { KindReplay, SuiteTester } from './suite-tester.ts'
import { tryOut } from './try-out.ts'

const replay: KindReplay = {
  kind: 'text',
  request: { model: 'any', prompt: 'Greet me.' },
  answer: { content: 'Hello' },
  before: [],
  exchange: { request: { method: 'POST', path: '/write' }, reply: { json: { text: 'Hello' } } },
}

interface Habits {
  readonly facts?: Parameters<typeof textModel>[0]
  /** What of a request is sent. Default: all of it. */
  readonly toBody?: (request: TextRequest) => object
  readonly warnings?: readonly Issue[]
  /** How often the upstream is asked. Default: once. */
  readonly tries?: number
}

/** A provider over HTTP with habits, good or bad. */
function writer({ facts = {}, toBody = (request) => request, warnings = [], tries = 1 }: Habits) {
  return ({ url }: SuiteUpstream): Provider => {
    async function ask(request: TextRequest, left: number): Promise<string> {
      const body = JSON.stringify(toBody(request))
      const response = await fetch(`${url}/write`, { method: 'POST', body }).catch(() => undefined)
      if (response?.ok) return ((await response.json()) as { text: string }).text
      if (left > 1) return ask(request, left - 1)
      throw new ProviderError('retry', 'the upstream failed')
    }
    return {
      contract: 1,
      id: 'writer',
      models: [textModel(facts), textModel({ id: 'other' })],
      generateText: async (request) => ({ content: await ask(request, tries), finishReason: 'stop', warnings }),
    }
  }
}

function tryExchange(title: string, habits: Habits): Promise<unknown> {
  const declare = (tester: SuiteTester) => {
    parameterTests(tester, replay)
    statusTests(tester, replay)
  }
  return tryOut(title, writer(habits), { replays: [replay], declare })
}

describe('a provider', () => {
  const structured: Habits = { facts: { structured: true } }
  test.each<[string, string, Habits]>([
    [
      'asks for no length',
      'drops no maxTokens of text in silence',
      { toBody: ({ maxTokens: _unsent, ...rest }) => rest },
    ],
    [
      'hands on the first stop alone',
      'drops no second stop of text in silence',
      { toBody: ({ stop, ...rest }) => ({ ...rest, stop: stop?.[0] }) },
    ],
    [
      'asks for one model whichever is meant',
      'asks for the model of text that is meant',
      { toBody: (request) => ({ ...request, model: 'any' }) },
    ],
    [
      'forgets the schema',
      'drops no responseSchema of text in silence',
      { ...structured, toBody: ({ responseSchema: _unsent, ...rest }) => rest },
    ],
    [
      'warns whatever is asked',
      'warns of nothing that nobody asked for (text)',
      { warnings: [{ field: 'seed', issue: 'is not supported' }] },
    ],
    ['tries again by itself', 'asks once, and leaves it to core to ask again (text)', { tries: 2 }],
  ])('that %s is found out', async (_case, title, habits) => {
    await expect(tryExchange(title, habits)).rejects.toThrow('expected')
    await expect(tryExchange(title, { ...(habits.facts && structured) })).resolves.toBeUndefined()
  })

  test('whose model takes no schema is not asked to heed one', async () => {
    expect(await tryExchange('drops no responseSchema of text in silence', {})).toBe(
      'its model is not listed as structured',
    )
  })
})
