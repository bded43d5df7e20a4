import { expect } from 'vitest'
import { replaying } from '../recorded-exchange.ts'
import type { UpstreamAnswer } from '../test-upstream.ts'
import { expectFailure } from './expect-failure.ts'
import type { KindReplay, SuiteTester, SuiteWorld } from './suite-tester.ts'

/** What each status means, whatever the upstream writes beside it. */
export function statusTests(tester: SuiteTester, replay: KindReplay): void {
  const statuses: readonly (readonly [number, RegExp])[] = [
    [400, /^(invalid_request|content_refused)$/],
    [401, /^credential$/],
    [403, /^(credential|content_refused)$/],
    [404, /^(give_up|invalid_request)$/],
    [500, /^retry$/],
    [503, /^retry$/],
  ]
  for (const [status, failure] of statuses) {
    tester.test(`tells what ${status} means, and no secret (${replay.kind})`, async (world) => {
      const echo = `you sent ${world.apiKey}`
      const reply = { status, json: { error: { message: echo, code: status } } }
      expect(await expectFailure(world, replay, replaying(reply), failure)).toBeDefined()
      await expectFailure(
        { ...world, provider: await world.another() },
        replay,
        replaying({ status, text: echo }),
        failure,
      )
    })
  }
  tester.test(`asks once, and leaves it to core to ask again (${replay.kind})`, (world) => expectOnce(world, replay))
  tester.test(`says how long a 429 wants to be left alone (${replay.kind})`, async (world) => {
    const reply = { status: 429, headers: { 'retry-after': '7' }, json: { error: { message: 'slow down' } } }
    const error = await expectFailure(world, replay, replaying(reply), /^rate_limited$/)
    expect(error.retryAfterMs).toBe(7_000)
  })
}

async function expectOnce(world: SuiteWorld, replay: KindReplay) {
  const { upstream } = world
  const replies = [401, 429, 500, 503].map((status) => replaying({ status, json: { error: { message: 'not now' } } }))
  const hangUp: UpstreamAnswer = (response) => void response.destroy()
  for (const answer of [...replies, hangUp]) {
    const before = upstream.requests.length
    await expectFailure({ ...world, provider: await world.another() }, replay, answer, /./)
    expect(upstream.requests.length - before).toBe(replay.before.length + 1)
  }
}
