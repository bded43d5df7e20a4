import { replaying } from '../fakes/recorded-exchange.ts'
import type { UpstreamAnswer, UpstreamRequest } from '../fakes/test-upstream.ts'
import { ProviderError } from '@fairlead/core/provider'
import { expect } from 'vitest'
import { findTokens, isTokenRequest, withToken } from './script.ts'
import type { SuiteTester } from './suite-tester.ts'
import type { KindReplay, SuiteWorld } from './suite-world.ts'

/** A provider gets a token for many calls, and another one when the API no longer takes it. */
export function tokenTests(tester: SuiteTester, replay: KindReplay): void {
  const { kind, token } = replay
  if (!token) return
  tester.test(`gets one token for all calls (${kind})`, async (world) => {
    world.answer(replay, replaying(replay.exchange.reply))
    for (let call = 0; call < 3; call++) await world.ask(kind, replay.request)
    expect(countTokenRequests(world, replay), 'token requests for three calls').toBe(1)
  })
  tester.test(`gets one token for calls at once (${kind})`, async (world) => {
    world.answer(replay, replaying(replay.exchange.reply))
    await Promise.all([1, 2, 3].map(() => world.ask(kind, replay.request)))
    expect(countTokenRequests(world, replay), 'token requests for three calls at once').toBe(1)
  })
  tester.test(`gets the token for others when one call is aborted (${kind})`, (world) => expectOthers(world, replay))
  tester.test(`gets another token after a failed token request (${kind})`, (world) => expectRecovered(world, replay))
  tester.test(`gets another token after the API rejected one (${kind})`, (world) => expectRenewed(world, replay))
}

function countTokenRequests({ upstream }: SuiteWorld, replay: KindReplay): number {
  return upstream.requests.filter((request) => isTokenRequest(replay, request)).length
}

/** The call that started the token request is aborted while another one waits for the same token. */
async function expectOthers(world: SuiteWorld, replay: KindReplay) {
  const token = replay.token!
  const reached = Promise.withResolvers<() => void>()
  const hold: UpstreamAnswer = (response, request) =>
    reached.resolve(() => void replaying(token.reply)(response, request))
  world.answer(replay, replaying(replay.exchange.reply), new Map([[token, hold]]))
  const controller = new AbortController()
  const aborted = world.ask(replay.kind, replay.request, { signal: controller.signal })
  aborted.catch(() => {})
  const reply = await reached.promise
  const other = world.ask(replay.kind, replay.request)
  other.catch(() => {})
  world.answer(replay, replaying(replay.exchange.reply))
  controller.abort(new Error('the caller left'))
  await aborted.catch(() => {})
  reply()
  expect(await other).toMatchObject(replay.answer)
}

/** A failure that is kept in the place of a token would fail all later calls. */
async function expectRecovered(world: SuiteWorld, replay: KindReplay) {
  const failing = replaying({ status: 503, json: { error: { message: 'not now' } } })
  world.answer(replay, replaying(replay.exchange.reply), new Map([[replay.token!, failing]]))
  await expect(world.ask(replay.kind, replay.request)).rejects.toBeInstanceOf(ProviderError)
  world.answer(replay, replaying(replay.exchange.reply))
  expect(await world.ask(replay.kind, replay.request)).toMatchObject(replay.answer)
}

/** The API takes only the latest token. The call that finds that out may fail, so that core asks again. */
async function expectRenewed(world: SuiteWorld, replay: KindReplay) {
  world.answer(replay, replaying(replay.exchange.reply))
  await world.ask(replay.kind, replay.request)
  const [token] = findTokens(replay, world.upstream.requests)
  if (token === undefined) expect.fail('no request has a text of the token request’s reply')
  const another = `${token}2`
  const sends = ({ path, headers, text }: UpstreamRequest) => JSON.stringify([path, headers, text]).includes(another)
  const strict = (how: UpstreamAnswer): UpstreamAnswer => {
    const rejecting = replaying({ status: 401, json: { error: { message: 'the token has expired' } } })
    return (response, request) => (sends(request) ? how : rejecting)(response, request)
  }
  const replies = new Map(replay.exchanges.map((each) => [each, strict(replaying(each.reply))]))
  replies.set(replay.token!, replaying(withToken(replay.token!.reply, token, another)))
  world.upstream.forget()
  world.answer(replay, replies.get(replay.exchange)!, replies)
  const first = await world.ask(replay.kind, replay.request).catch((error: unknown) => error)
  if (first instanceof ProviderError) expect(first.failure).toBe('credential')
  expect(await world.ask(replay.kind, replay.request)).toMatchObject(replay.answer)
  expect(countTokenRequests(world, replay), 'token requests after the API rejected a token').toBe(1)
}
