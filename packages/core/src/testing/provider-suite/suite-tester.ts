import { expect, test } from 'vitest'
import type { Provider } from '../../gateway/provider.ts'
import type { RecordedExchange } from '../recorded-exchange.ts'
import { openTestUpstream, type TestUpstream } from '../test-upstream.ts'
import type { SuiteAnswer, SuiteRequest } from './ask-provider.ts'
import { type MakeProvider, type ProviderSuiteOptions, type SuiteKind, suiteKinds } from './suite-options.ts'

/** What a test of the suite has at hand. */
export interface SuiteWorld {
  readonly provider: Provider
  readonly upstream: TestUpstream
  readonly apiKey: string
  /** Another provider of the same upstream, which knows nothing of what the first one met. */
  another(): Promise<Provider>
}

/** A replay of one kind, taken apart. */
export interface KindReplay {
  readonly kind: SuiteKind
  readonly request: SuiteRequest
  readonly answer: Partial<SuiteAnswer>
  /** What the provider asks before it asks for the answer. */
  readonly before: readonly RecordedExchange[]
  readonly exchange: RecordedExchange
}

export interface SuiteTester {
  readonly replays: readonly KindReplay[]
  requestOf(kind: SuiteKind): SuiteRequest
  /** @param whyNot why a provider can't be tested so, where it can't */
  test(
    title: string,
    expectations: (world: SuiteWorld) => Promise<unknown>,
    whyNot?: (provider: Provider) => string | undefined,
  ): void
  /** A skip of something that no test says would hide nothing, and mislead whoever reads it. */
  requireSkipsToBeKnown(): void
}

const apiKey = 'sk-suite-canary-4f8a1c9e'

export function suiteTester(makeProvider: MakeProvider, options: ProviderSuiteOptions): SuiteTester {
  const { requests = {}, skip = {} } = options
  const titles = new Set<string>()
  return {
    replays: readReplays(options.replay ?? {}),
    requestOf: (kind) => requests[kind === 'stream' ? 'text' : kind] ?? {},
    test(title, expectations, whyNot) {
      titles.add(title)
      // oxlint-disable-next-line vitest/valid-title -- it is a string, by its type
      test(title, async (context) => {
        if (skip[title] !== undefined) context.skip(skip[title])
        const upstream = await openTestUpstream()
        context.onTestFinished(() => upstream.close())
        const another = async () => {
          const made = await makeProvider({ url: upstream.url, apiKey })
          context.onTestFinished(() => made.close?.())
          return made
        }
        const provider = await another()
        const reason = whyNot?.(provider)
        if (reason !== undefined) context.skip(reason)
        await expectations({ provider, upstream, apiKey, another })
      })
    },
    requireSkipsToBeKnown() {
      test('is excused only from tests that there are', () => {
        expect(Object.keys(skip).filter((title) => !titles.has(title))).toEqual([])
      })
    },
  }
}

function readReplays(replay: NonNullable<ProviderSuiteOptions['replay']>): readonly KindReplay[] {
  return suiteKinds.flatMap((kind) => {
    const given = replay[kind]
    if (!given) return []
    const exchanges = Array.isArray(given.exchange)
      ? (given.exchange as RecordedExchange[])
      : [given.exchange as RecordedExchange]
    const { request, answer } = given as { request: SuiteRequest; answer: Partial<SuiteAnswer> }
    return [{ kind, request, answer, before: exchanges.slice(0, -1), exchange: exchanges.at(-1)! }]
  })
}
