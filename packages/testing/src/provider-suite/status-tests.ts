import { type UpstreamAnswer, openTestUpstream } from '../fakes/test-upstream.ts'
import { replaying, startReply } from '../fakes/recorded-exchange.ts'
import { expect } from 'vitest'
import { firstHalf } from './reply-variants.ts'
import type { SuiteTester } from './suite-tester.ts'
import { findPending, isTo, isTokenRequest, type Sent } from './script.ts'
import { expectFailure, type KindReplay, movesOn, type SuiteWorld } from './suite-world.ts'

/** The meaning of each status, whatever the reply says beside it. */
const statuses: readonly (readonly [number, RegExp])[] = [
  [400, /^(invalid_request|too_long|content_refused)$/],
  [401, /^credential$/],
  [402, /^(credential|give_up)$/],
  [403, /^(credential|content_refused)$/],
  [404, /^(give_up|invalid_request)$/],
  [408, /^(timeout|retry)$/],
  [409, /^(retry|give_up|invalid_request)$/],
  [413, /^(invalid_request|too_long|give_up)$/],
  [422, /^(invalid_request|too_long|content_refused)$/],
  [500, /^retry$/],
  [502, /^retry$/],
  [503, /^retry$/],
  [504, /^(timeout|retry)$/],
  [529, /^(retry|rate_limited)$/],
]

const redirects = [301, 302, 307, 308]

export function statusTests(tester: SuiteTester, replay: KindReplay): void {
  const { kind } = replay
  for (const [status, failure] of statuses) {
    tester.test(`classifies status ${status} and reveals no secret (${kind})`, async (world) => {
      const echo = `you sent ${world.apiKey}`
      const bodies = [{ json: { error: { message: echo, code: status } } }, { text: echo }]
      for (const body of bodies) {
        const error = await expectFailure(world, replay, replaying({ status, ...body }), failure)
        expect(error.upstream?.status ?? status, 'the status in `upstream`').toBe(status)
      }
    })
  }
  const whyNot = () => (findPending(replay) ? 'a provider may wait before it asks for a job again' : undefined)
  const expectRetryAfter = async (world: SuiteWorld) => {
    const reply = { status: 429, headers: { 'retry-after': '7' }, json: { error: { message: 'slow down' } } }
    const error = await expectFailure(world, replay, replaying(reply), /^rate_limited$/)
    expect(error.retryAfterMs).toBe(7_000)
  }
  tester.test(`reads retry-after of a 429 (${kind})`, expectRetryAfter, whyNot)
  const expectRetryAfterDate = async (world: SuiteWorld) => {
    const headers = { 'retry-after': new Date(Date.now() + 3_600_000).toUTCString() }
    const reply = { status: 429, headers, json: { error: { message: 'slow down' } } }
    const { retryAfterMs = NaN } = await expectFailure(world, replay, replaying(reply), /^rate_limited$/)
    expect(Math.round(retryAfterMs / 60_000), 'minutes').toBeOneOf([59, 60])
  }
  tester.test(`reads retry-after of a 429 that is a date (${kind})`, expectRetryAfterDate, whyNot)
  tester.test(`sends each request once and leaves retries to core (${kind})`, (world) => expectOnce(world, replay))
  tester.test(`follows no redirect to another host (${kind})`, (world) => expectNoRedirect(world, replay))
}

async function expectOnce(world: SuiteWorld, replay: KindReplay) {
  const failing = [401, 408, 409, 429, 500, 502, 503, 504, 529]
  const replies = failing.map((status) => replaying({ status, json: { error: { message: 'not now' } } }))
  const hangUp: UpstreamAnswer = (response) => void response.destroy()
  const breakOff: UpstreamAnswer = (response) => {
    startReply(response, replay.exchange.reply)
    response.write(firstHalf(replay.exchange.reply), () => response.destroy())
  }
  const page = replaying({ headers: { 'content-type': 'text/html' }, text: '<html>Sign in</html>' })
  // To ask again for a job that was started does not start another.
  const pending = findPending(replay)
  const isCounted = (request: Sent) => !isTokenRequest(replay, request) && !(pending && isTo(pending, request))
  for (const [index, how] of [...replies, hangUp, breakOff, page].entries()) {
    const before = world.upstream.requests.length
    await expectFailure(world, replay, how, /./)
    const requests = world.upstream.requests.slice(before).filter(isCounted)
    const until = replay.exchanges.slice(0, replay.exchanges.indexOf(replay.exchange) + 1)
    const once = until.filter(({ request }) => isCounted(request)).length
    const isRejected = failing[index] === 401 && replay.token !== undefined
    // With another token, a request may be sent once more.
    expect(requests.length).toBeOneOf(isRejected ? [once, once + 1] : [once])
  }
}

async function expectNoRedirect(world: SuiteWorld, replay: KindReplay) {
  const other = await openTestUpstream()
  try {
    other.answer(replaying(replay.exchange.reply))
    for (const status of redirects) {
      const location = `${other.url}${replay.exchange.request.path}`
      await expectFailure(world, replay, replaying({ status, headers: { location }, text: '' }), movesOn)
    }
    expect(other.requests.map(({ path }) => path)).toEqual([])
  } finally {
    await other.close()
  }
}
