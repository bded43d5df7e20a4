/** Fakes for the tests of this repository. Not published. */
export { edges, operations, scopes } from './fakes/own-declarations.ts'
export { ownFeatures, testStores } from './fakes/own-features.ts'
export { addTestCaller, testCore } from './fakes/test-core.ts'
export { testProject } from './fakes/test-project.ts'
export { leastRoles, projectCallers, refusalInProject } from './fakes/project-access.ts'
export { testClock } from './fakes/test-clock.ts'
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
export { fakeOutbound } from './fakes/fake-outbound.ts'
export { plainPasskeys } from './fakes/plain-passkeys.ts'
export { plainPasswords } from './fakes/plain-passwords.ts'
export { addAuditEntries, addPlainEntry } from './fakes/audit-entries.ts'
export { whileTimePasses } from './fakes/while-time-passes.ts'
export { longestBlockMs, withinASecond } from './fakes/event-loop.ts'
export { silentLog } from './fakes/silent-log.ts'
export { withOutages } from './fakes/with-outages.ts'
export { openTestUpstream } from './fakes/test-upstream.ts'
export { replaying, replyPieces, startReply } from './fakes/recorded-exchange.ts'
export { blankPng } from './fakes/blank-png.ts'
export { shipmentInput, someShipment } from './fakes/some-shipment.ts'
export { someEvent, storedEvents } from './fakes/some-event.ts'
export { someDelivery, someWebhook } from './fakes/some-webhook.ts'
export { someUsage } from './fakes/some-usage.ts'
export type { Logged, TestCaller, TestCore, TestCoreOptions } from './fakes/test-core.ts'
export type { TestProject } from './fakes/test-project.ts'
export type { TestClock } from './fakes/test-clock.ts'
export type { RecordedEvent, RecordedExchange, RecordedReply } from './fakes/recorded-exchange.ts'
export type { TestUpstream, UpstreamAnswer, UpstreamRequest } from './fakes/test-upstream.ts'
export type { Stores } from './fakes/own-features.ts'
export { computingMs } from '@fairlead/core/feature'
