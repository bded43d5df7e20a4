import type { RecordedExchange } from '../fakes/recorded-exchange.ts'
import type { Provider } from '@fairlead/core/provider'
import { expect, test } from 'vitest'
import { plainVectors, type SuiteAnswer, type SuiteRequest } from './ask-provider.ts'
import { type CapabilityRecord, readCapabilities } from './capability-records.ts'
import {
  type MakeProvider,
  type ProviderSuiteOptions,
  type Replay,
  type SuiteKind,
  suiteKinds,
} from './suite-options.ts'
import { type KindReplay, openWorld, type SuiteWorld } from './suite-world.ts'

export interface SuiteTester {
  readonly replays: readonly KindReplay[]
  readonly capabilities: readonly CapabilityRecord[]
  requestOf(kind: SuiteKind): SuiteRequest
  /** @param whyNot the reason why the test can't apply to a provider, if there is one */
  test(
    title: string,
    expectations: (world: SuiteWorld) => Promise<unknown>,
    whyNot?: (provider: Provider) => string | undefined,
  ): void
  /** A skipped title that no test has would mislead its readers. */
  requireSkipsToBeKnown(): void
}

export function suiteTester(makeProvider: MakeProvider, options: ProviderSuiteOptions): SuiteTester {
  const { requests = {}, skip = {} } = options
  const replays = readReplays(options.replay ?? {})
  const titles = new Set<string>()
  return {
    replays,
    capabilities: readCapabilities(options.capabilities),
    requestOf: (kind) => requests[kind === 'stream' ? 'text' : kind] ?? {},
    test(title, expectations, whyNot) {
      titles.add(title)
      // oxlint-disable-next-line vitest/expect-expect -- `expectations` asserts
      test(`the provider ${title}`, { timeout: maxTestMs }, async (context) => {
        if (skip[title] !== undefined) context.skip(skip[title])
        const reason = await runSuiteTest(makeProvider, replays, { expectations, whyNot })
        if (reason !== undefined) context.skip(reason)
      })
    },
    requireSkipsToBeKnown() {
      test('the provider suite skips only tests that exist', () => {
        expect(Object.keys(skip).filter((title) => !titles.has(title))).toEqual([])
      })
    },
  }
}

/** How long a test may go on without a call that begins or ends, and without a request, also on a busy machine. */
const limitMs = 30_000
/** Against a provider that never stops. */
const maxTestMs = 600_000

export interface SuiteTest {
  readonly expectations: Parameters<SuiteTester['test']>[1]
  readonly whyNot?: Parameters<SuiteTester['test']>[2]
  /** How long nothing may happen, in milliseconds. Default: 30 seconds. */
  readonly withinMs?: number
}

/** Runs one test in a fresh world; resolves to the reason if it can't apply. */
export async function runSuiteTest(
  makeProvider: MakeProvider,
  replays: readonly KindReplay[],
  { expectations, whyNot, withinMs = limitMs }: SuiteTest,
): Promise<string | undefined> {
  const world = await openWorld(makeProvider)
  try {
    const reason = whyNot?.(world.provider)
    if (reason !== undefined) return reason
    await untilIdle(expectations(world), () => world.activity(), withinMs)
    world.verify()
    requireReplays(world, replays)
    return undefined
  } catch (error) {
    requireReplays(world, replays)
    throw world.explain(error)
  } finally {
    await world.close()
  }
}

/** Rejects if work hangs. On a busy machine it may be slow. */
async function untilIdle(work: Promise<unknown>, activity: () => number, ms: number): Promise<void> {
  const late = Promise.withResolvers<never>()
  let before = activity()
  const timer = setInterval(() => {
    const now = activity()
    if (now === before) late.reject(new Error(`nothing has happened for ${ms} ms`))
    before = now
  }, ms)
  try {
    await Promise.race([work, late.promise])
  } finally {
    clearInterval(timer)
  }
}

function requireReplays({ upstream: { requests } }: SuiteWorld, replays: readonly KindReplay[]): void {
  if (replays.length > 0 || requests.length === 0) return
  const paths = requests.map(({ method, path }) => `${method} ${path}`).join(', ')
  throw new Error(`a provider that calls an HTTP API needs a replay for each of its methods; it called ${paths}`)
}

function readReplays(replay: NonNullable<ProviderSuiteOptions['replay']>): readonly KindReplay[] {
  return suiteKinds.flatMap((kind) => {
    const given = replay[kind] as Replay<SuiteRequest, SuiteAnswer> | undefined
    return given ? [readReplay(kind, given)] : []
  })
}

export function readReplay(kind: SuiteKind, replay: Replay<SuiteRequest, SuiteAnswer>): KindReplay {
  const { request, answer, cutOff } = replay
  const exchanges = (Array.isArray(replay.exchange) ? replay.exchange : [replay.exchange]) as RecordedExchange[]
  const whole = {
    kind,
    request,
    answer: plainVectors(answer),
    before: exchanges.slice(0, -1),
    exchange: exchanges.at(-1)!,
  }
  return cutOff ? { ...whole, cutOff } : whole
}
