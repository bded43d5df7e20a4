import type { Provider, TextRequest } from '@fairlead/core/provider'
import { declareCapability, declareContract, declareReplay } from '../provider-suite.ts'
import type { SuiteAnswer, SuiteRequest } from './ask-provider.ts'
import { type CapabilityRecord, readCapabilities } from './capability-records.ts'
import { sampleCapabilities } from './sample-capabilities.ts'
import { type Habits, sampleProvider, type SampleProvider } from './sample-provider.ts'
import { sampleReplay } from './sample-replays.ts'
import { type Replay, type SuiteUpstream, suiteKinds } from './suite-options.ts'
import { readReplay, runSuiteTest, type SuiteTester } from './suite-tester.ts'
import type { KindReplay } from './suite-world.ts'

export type Make = (upstream: SuiteUpstream) => Provider

export const replays = suiteKinds.map((kind) =>
  readReplay(kind, sampleReplay[kind] as unknown as Replay<SuiteRequest, SuiteAnswer>, undefined),
)

export const records = readCapabilities(sampleCapabilities)

function declaredTests(given: readonly KindReplay[], capabilities: readonly CapabilityRecord[]) {
  const declared = new Map<string, Parameters<SuiteTester['test']>>()
  const tester: SuiteTester = {
    replays: given,
    capabilities,
    requestOf: () => ({}),
    test: (...each) => void declared.set(each[0], each),
    slowTest: (...each) => void declared.set(each[0], each),
    requireSkipsToBeKnown() {},
  }
  declareContract(tester)
  for (const replay of given) declareReplay(tester, replay)
  for (const record of capabilities) declareCapability(tester, record)
  return declared
}

/** The titles of all tests for the sample. */
export const sampleTitles = [...declaredTests(replays, records).keys()]

/** Runs the test of the suite with this title; resolves to the reason if it can't apply. */
export async function runTitled(
  title: string,
  make: Make,
  given = replays,
  capabilities = records,
  withinMs?: number,
): Promise<string | undefined> {
  const [, expectations, whyNot] = declaredTests(given, capabilities).get(title) ?? []
  if (!expectations) throw new Error(`the suite has no test "${title}"`)
  return runSuiteTest(make, given, { expectations, whyNot, ...(withinMs !== undefined && { withinMs }) })
}

export const good: Make = (upstream) => sampleProvider(upstream)
export const habit =
  (habits: Habits): Make =>
  (upstream) =>
    sampleProvider(upstream, habits)
/** The sample that sends another body for texts. */
export const body = (toBody: (request: TextRequest) => object): Make => habit({ toBody })
/** The sample with some parts replaced. */
export const modified =
  (parts: (sample: SampleProvider, upstream: SuiteUpstream) => Partial<Provider>): Make =>
  (upstream) => {
    const sample = sampleProvider(upstream)
    return { ...sample, ...parts(sample, upstream) }
  }
