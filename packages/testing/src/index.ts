/** Fakes for tests of programs that embed Fairlead and of plugins. They work with any test runner. */
export { eventsIn } from './events-in.ts'
export { addTestCaller, testCore } from './fakes/test-core.ts'
export {
  begun,
  embedder,
  textEnd,
  failing,
  held,
  fakeImageModel,
  fakePainter,
  reader,
  scripted,
  sequenced,
  fakeTextModel,
} from './fakes/fake-providers.ts'
export { blankPng } from './fakes/blank-png.ts'
export { computingMs } from '@fairlead/core/feature'
export { fakeOutbound } from './fakes/fake-outbound.ts'
export { longestBlockMs, withinASecond } from './fakes/event-loop.ts'
export { openTestUpstream } from './fakes/test-upstream.ts'
export { plainPasskeys } from './fakes/plain-passkeys.ts'
export { plainPasswords } from './fakes/plain-passwords.ts'
export { replaying, replyPieces, startReply } from './fakes/recorded-exchange.ts'
export { shipmentInput, someShipment } from './fakes/some-shipment.ts'
export { someEvent } from './fakes/some-event.ts'
export { someUsage } from './fakes/some-usage.ts'
export { someWebhook } from './fakes/some-webhook.ts'
export { testClock } from './fakes/test-clock.ts'
export { whileTimePasses } from './fakes/while-time-passes.ts'
export { withOutages } from './fakes/with-outages.ts'
export { testStores } from './fakes/own-features.ts'
export type { SentEvent } from './events-in.ts'
export type { Logged, TestCaller, TestCore, TestCoreOptions } from './fakes/test-core.ts'
export type { RecordedEvent, RecordedExchange, RecordedReply } from './fakes/recorded-exchange.ts'
export type { TestClock } from './fakes/test-clock.ts'
export type { TestUpstream, UpstreamAnswer, UpstreamRequest } from './fakes/test-upstream.ts'
