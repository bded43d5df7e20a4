/** A core with fakes for tests, and the shared test suites of providers and stores. */
export { testCore, addTestCaller } from './testing/test-core.ts'
export { testClock } from './testing/test-clock.ts'
export { fakeOutbound } from './testing/fake-outbound.ts'
export { optionRulesSuite } from './testing/option-rules-suite.ts'
export { providerSuite } from './testing/provider-suite.ts'
export { capabilityRequests } from './testing/provider-suite/capability-requests.ts'
export { whileTimePasses } from './testing/while-time-passes.ts'
export { storeSuite } from './testing/store-suite.ts'
export { rateLimiterSuite } from './testing/rate-limiter-suite.ts'
export {
  begun,
  embedder,
  ended,
  failing,
  held,
  imageModel,
  painter,
  reader,
  scripted,
  sequenced,
  textModel,
} from './testing/fake-providers.ts'
export { plainPasswords } from './testing/plain-passwords.ts'
export { withOutages } from './testing/with-outages.ts'
export { openTestUpstream } from './testing/test-upstream.ts'
export { replaying, replyPieces, startReply } from './testing/recorded-exchange.ts'
export { blankPng } from './testing/blank-png.ts'
export { shipmentInput, someShipment } from './testing/some-shipment.ts'
export { someEvent } from './testing/some-event.ts'
export { someWebhook } from './testing/some-webhook.ts'
export { someUsage } from './testing/some-usage.ts'
export type { Logged, TestCaller, TestCore } from './testing/test-core.ts'
export type { TestClock } from './testing/test-clock.ts'
export type { OpenStores } from './testing/store-suite.ts'
export type { RecordedEvent, RecordedExchange, RecordedReply } from './testing/recorded-exchange.ts'
export type { TestUpstream, UpstreamAnswer, UpstreamRequest } from './testing/test-upstream.ts'
export type { Capability } from './testing/provider-suite/capability-requests.ts'
export type {
  CapabilityReplay,
  MakeProvider,
  ProviderSuiteOptions,
  Replay,
  SuiteUpstream,
} from './testing/provider-suite/suite-options.ts'
