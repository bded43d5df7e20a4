import type { Provider } from '@fairlead/core/provider'
import { expect, test } from 'vitest'
import { plainVectors, type SuiteAnswer, type SuiteRequest } from './ask-provider.ts'
import { bounded } from './bounded.ts'
import { type CapabilityRecord, readCapabilities } from './capability-records.ts'
import {
  type MakeProvider,
  type ProviderSuiteOptions,
  type Replay,
  type SuiteKind,
  suiteKinds,
} from './suite-options.ts'
import { readScript } from './script.ts'
import { type KindReplay, openWorld, type SuiteWorld } from './suite-world.ts'

type WhyNot = (provider: Provider) => string | undefined

export interface SuiteTester {
  readonly replays: readonly KindReplay[]
  readonly capabilities: readonly CapabilityRecord[]
  requestOf(kind: SuiteKind): SuiteRequest
  /** @param whyNot the reason why the test can't apply to a provider, if there is one */
  test(title: string, expectations: (world: SuiteWorld) => Promise<unknown>, whyNot?: WhyNot): void
  /** The same for a test that takes many calls, or some time: `quick` leaves it out. */
  slowTest: SuiteTester['test']
  /** A skipped title that no test has would mislead its readers. */
  requireSkipsToBeKnown(): void
}

export function suiteTester(makeProvider: MakeProvider, options: ProviderSuiteOptions): SuiteTester {
  const { requests = {}, skip = {}, quick = false } = options
  const replays = readReplays(options)
  const titles = new Set<string>()
  const tester: SuiteTester = {
    replays,
    capabilities: readCapabilities(options.capabilities, options.secretIn),
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
    slowTest(title, expectations, whyNot) {
      tester.test(title, expectations, quick ? () => 'it takes long, and the suite is `quick`' : whyNot)
    },
    requireSkipsToBeKnown() {
      test('the provider suite skips only tests that exist', () => {
        expect(Object.keys(skip).filter((title) => !titles.has(title))).toEqual([])
      })
    },
  }
  return tester
}

/** How long a test may go on without a call that begins or ends: with replays, and with a model on this machine. */
const [replayedMs, localMs] = [10_000, 60_000]
/** Against a provider that blocks the event loop. */
const maxTestMs = 600_000

export interface SuiteTest {
  readonly expectations: Parameters<SuiteTester['test']>[1]
  readonly whyNot?: Parameters<SuiteTester['test']>[2]
  /** How long nothing may happen, in milliseconds. */
  readonly withinMs?: number
}

/** Runs one test in a fresh world; resolves to the reason if it can't apply. */
export async function runSuiteTest(
  makeProvider: MakeProvider,
  replays: readonly KindReplay[],
  { expectations, whyNot, withinMs = replays.length > 0 ? replayedMs : localMs }: SuiteTest,
): Promise<string | undefined> {
  const world = await openWorld(makeProvider)
  try {
    const reason = whyNot?.(world.provider)
    if (reason === undefined) {
      await bounded(expectations(world), withinMs, () => `the provider ${world.outcome()}`, world.activity)
      world.verify()
      requireReplays(world, replays)
    }
    await world.close()
    return reason
  } catch (error) {
    await world.close().catch(() => {})
    requireReplays(world, replays)
    throw world.explain(error)
  }
}

function requireReplays({ upstream: { requests } }: SuiteWorld, replays: readonly KindReplay[]): void {
  if (replays.length > 0 || requests.length === 0) return
  const paths = requests.map(({ method, path }) => `${method} ${path}`).join(', ')
  throw new Error(`a provider that calls an HTTP API needs a replay for each of its methods; it called ${paths}`)
}

function readReplays({ replay = {}, secretIn }: ProviderSuiteOptions): readonly KindReplay[] {
  return suiteKinds.flatMap((kind) => {
    const given = replay[kind] as Replay<SuiteRequest, SuiteAnswer> | undefined
    return given ? [readReplay(kind, given, secretIn)] : []
  })
}

export function readReplay(
  kind: SuiteKind,
  replay: Replay<SuiteRequest, SuiteAnswer>,
  secretIn: string | undefined,
): KindReplay {
  const { request, answer, cutOff, failing, exchange, exchanges } = replay
  const script = readScript(exchanges ?? exchange ?? [], secretIn)
  const whole = { kind, request, answer: plainVectors(answer), ...script }
  return { ...whole, ...(cutOff && { cutOff }), ...(failing && { failing }) }
}
