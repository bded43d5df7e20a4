/** The test suites that providers, stores, and rate limiters share. They need vitest. */
export { providerSuite } from './provider-suite.ts'
export { suiteApiKey } from './provider-suite/suite-world.ts'
export { capabilityRequests } from './provider-suite/capability-requests.ts'
export { optionRulesSuite } from './option-rules-suite.ts'
export { storeSuite } from './store-suite.ts'
export { rateLimiterSuite } from './rate-limiter-suite.ts'
export type { StoreSuiteOptions } from './store-suite.ts'
export type { Capability } from './provider-suite/capability-requests.ts'
export type {
  CapabilityReplay,
  MakeProvider,
  ProviderSuiteOptions,
  Replay,
  SuiteUpstream,
} from './provider-suite/suite-options.ts'
