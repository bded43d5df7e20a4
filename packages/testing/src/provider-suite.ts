import { describe } from 'vitest'
import { abortTests } from './provider-suite/abort-tests.ts'
import type { CapabilityRecord } from './provider-suite/capability-records.ts'
import { capabilityContractTests, capabilityTests } from './provider-suite/capability-tests.ts'
import { contractTests } from './provider-suite/contract-tests.ts'
import { conversationTests } from './provider-suite/conversation-tests.ts'
import { embeddingTests } from './provider-suite/embedding-tests.ts'
import { exchangeTests } from './provider-suite/exchange-tests.ts'
import { faultTests } from './provider-suite/fault-tests.ts'
import { framingTests } from './provider-suite/framing-tests.ts'
import { leakTests, memoryTests, resourceTests } from './provider-suite/leak-tests.ts'
import { lenientTests } from './provider-suite/lenient-tests.ts'
import { modelTests } from './provider-suite/model-tests.ts'
import { optionTests } from './provider-suite/option-tests.ts'
import { parameterTests } from './provider-suite/parameter-tests.ts'
import { replayTests } from './provider-suite/replay-tests.ts'
import { sideEffectTests } from './provider-suite/side-effect-tests.ts'
import { statusTests } from './provider-suite/status-tests.ts'
import { streamTests } from './provider-suite/stream-tests.ts'
import type { MakeProvider, ProviderSuiteOptions } from './provider-suite/suite-options.ts'
import { type SuiteTester, suiteTester } from './provider-suite/suite-tester.ts'
import { tokenTests } from './provider-suite/token-tests.ts'
import type { KindReplay } from './provider-suite/suite-world.ts'

/**
 * Tests the behavior that all providers share; run it on yours. A provider of an HTTP API gives one recorded exchange for
 * each of its methods, and for each capability of its models. The suite replays them from a local server, unchanged and with the faults of networks and APIs.
 *
 * @param makeProvider called for each test; the suite closes what it returns
 */
export function providerSuite(name: string, makeProvider: MakeProvider, options: ProviderSuiteOptions = {}): void {
  const tester = suiteTester(makeProvider, options)
  describe(`provider ${name}`, () => {
    describe('contract', () => {
      declareContract(tester)
    })
    for (const replay of tester.replays) {
      describe(`HTTP, ${replay.kind}`, () => {
        declareReplay(tester, replay)
      })
    }
    for (const record of tester.capabilities) {
      describe(`HTTP, ${record.capability}, ${record.kind}`, () => {
        declareCapability(tester, record)
      })
    }
    tester.requireSkipsToBeKnown()
  })
}

export function declareContract(tester: SuiteTester): void {
  modelTests(tester)
  contractTests(tester)
  capabilityContractTests(tester)
  resourceTests(tester)
  memoryTests(tester)
}

export function declareCapability(tester: SuiteTester, record: CapabilityRecord): void {
  capabilityTests(tester, record)
  conversationTests(tester, record)
  optionTests(tester, record)
}

export function declareReplay(tester: SuiteTester, replay: KindReplay): void {
  replayTests(tester, replay)
  framingTests(tester, replay)
  if (replay.kind === 'stream') streamTests(tester, replay)
  tokenTests(tester, replay)
  exchangeTests(tester, replay)
  sideEffectTests(tester, replay)
  if (replay.kind === 'embedding') embeddingTests(tester, replay)
  else parameterTests(tester, replay)
  statusTests(tester, replay)
  faultTests(tester, replay)
  lenientTests(tester, replay)
  abortTests(tester, replay)
  leakTests(tester, replay)
}
