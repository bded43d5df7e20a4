import { type RecordedExchange, replaying } from '../fakes/recorded-exchange.ts'
import type { UpstreamAnswer, UpstreamRequest } from '../fakes/test-upstream.ts'
import { withinASecond } from '../fakes/event-loop.ts'
import { ProviderError } from '@fairlead/core/provider'
import { expect } from 'vitest'
import { findPending, nameExchange } from './script.ts'
import type { SuiteTester } from './suite-tester.ts'
import { expectAborted, type KindReplay, type SuiteWorld } from './suite-world.ts'

/** The exchanges of a call beside the main one, and jobs whose result a provider asks for. */
export function exchangeTests(tester: SuiteTester, replay: KindReplay): void {
  const { kind, exchanges, exchange: main, failing } = replay
  for (const exchange of exchanges) {
    if (exchange === main) continue
    const name = `${nameExchange(replay, exchange)}, ${kind}`
    tester.test(`classifies failures and reveals no secret (${name})`, (world) =>
      expectClassified(world, replay, exchange),
    )
    tester.test(`hangs up within a second of an abort (${name})`, (world) => expectHungUp(world, replay, exchange))
  }
  const pending = findPending(replay)
  if (!pending) return
  tester.test(`asks for a job until it has ended (${kind})`, (world) => expectPatience(world, replay, pending))
  tester.slowTest(`stops asking for a job within a second of an abort (${kind})`, (world) =>
    expectNoMore(world, replay, pending),
  )
  tester.test(`fails when a job fails (${kind})`, async (world) => {
    expect(failing, 'record the reply of the API for a failed job as `failing`, or skip this test').toBeDefined()
    world.answer(replay, replaying(failing!))
    const outcome = await world.ask(kind, replay.request).catch((error: unknown) => error)
    expect(outcome).toBeInstanceOf(ProviderError)
    expect((outcome as Error).message).not.toContain('polls on')
  })
}

const failures: readonly (readonly [string, UpstreamAnswer, RegExp])[] = [
  ...([401, 429, 500] as const).map((status): readonly [string, UpstreamAnswer, RegExp] => [
    `status ${status}`,
    replaying({ status, json: { error: { message: `${status} for you` } } }),
    { 401: /^credential$/, 429: /^rate_limited$/, 500: /^retry$/ }[status],
  ]),
  ['a closed connection', (response) => void response.destroy(), /^retry$/],
  ['a web page', replaying({ headers: { 'content-type': 'text/html' }, text: '<html>' }), /^(retry|give_up)$/],
  ['an empty object', replaying({ json: {} }), /^(retry|give_up|credential)$/],
]

async function expectClassified(world: SuiteWorld, replay: KindReplay, exchange: RecordedExchange) {
  for (const [name, how, failure] of failures) {
    world.answer(replay, replaying(replay.exchange.reply), new Map([[exchange, how]]))
    const provider = await world.another()
    const outcome = await world.ask(replay.kind, replay.request, { provider }).catch((error: unknown) => error)
    // A provider may ask for a job again after a temporary failure.
    if (exchange === findPending(replay) && isTemporary(failure) && !(outcome instanceof Error)) {
      expect(outcome, `after ${name}`).toMatchObject(replay.answer)
      continue
    }
    expect(outcome, `after ${name}`).toBeInstanceOf(ProviderError)
    expect((outcome as ProviderError).failure, `after ${name}`).toMatch(failure)
  }
}

function isTemporary(failure: RegExp): boolean {
  return failure.test('retry') || failure.test('rate_limited')
}

async function expectHungUp(world: SuiteWorld, replay: KindReplay, exchange: RecordedExchange) {
  const reached = Promise.withResolvers<UpstreamRequest>()
  const hold: UpstreamAnswer = (_response, request) => reached.resolve(request)
  world.answer(replay, replaying(replay.exchange.reply), new Map([[exchange, hold]]))
  const controller = new AbortController()
  const reason = new Error('the caller left')
  const asked = world.ask(replay.kind, replay.request, { signal: controller.signal })
  asked.catch(() => {})
  const { hungUp } = await reached.promise
  controller.abort(reason)
  await expectAborted(asked, reason)
  // A token may be for other calls, too.
  if (exchange !== replay.token) expect(await withinASecond(hungUp)).toBeUndefined()
}

const pendingReplies = 5

/** A job that is pending for longer than the recorded one. */
async function expectPatience(world: SuiteWorld, replay: KindReplay, pending: RecordedExchange) {
  const later = replay.exchanges.indexOf(pending)
  const longer = replay.exchanges.toSpliced(later, 0, ...Array.from({ length: pendingReplies }, () => ({ ...pending })))
  world.answer({ ...replay, exchanges: longer }, replaying(replay.exchange.reply))
  expect(await world.ask(replay.kind, replay.request)).toMatchObject(replay.answer)
}

/** The job never ends, and the abort comes while the provider waits before it asks again. */
async function expectNoMore(world: SuiteWorld, replay: KindReplay, pending: RecordedExchange) {
  const replied = Promise.withResolvers<void>()
  let requests = 0
  const isPending: UpstreamAnswer = (response, request) => {
    requests++
    replaying(pending.reply)(response, request)
    response.on('finish', replied.resolve)
  }
  const replies = new Map<RecordedExchange, UpstreamAnswer>()
  for (const each of replay.exchanges.slice(replay.exchanges.indexOf(pending))) replies.set(each, isPending)
  world.answer(replay, isPending, replies)
  const controller = new AbortController()
  const reason = new Error('the caller left')
  const asked = world.ask(replay.kind, replay.request, { signal: controller.signal })
  asked.catch(() => {})
  await Promise.race([replied.promise, asked])
  controller.abort(reason)
  await expectAborted(asked, reason)
  const before = requests
  await withinASecond(new Promise(() => {}))
  // One may have been on its way.
  expect(requests - before, 'requests in the second after the abort').toBeLessThanOrEqual(1)
}
