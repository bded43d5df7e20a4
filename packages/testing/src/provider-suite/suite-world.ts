import { type RecordedExchange, replaying } from '../fakes/recorded-exchange.ts'
import { type TestUpstream, type UpstreamAnswer, openTestUpstream } from '../fakes/test-upstream.ts'
import { longestBlockMs, withinASecond } from '../fakes/event-loop.ts'
import { type Provider, ProviderError } from '@fairlead/core/provider'
import type { ServerResponse } from 'node:http'
import { expect } from 'vitest'
import { askProvider, type SuiteAnswer, type SuiteRequest } from './ask-provider.ts'
import { printed, revealed, watchOutput } from './secrets.ts'
import type { MakeProvider, Replay, SuiteKind } from './suite-options.ts'

/** The world of a test of the suite. */
export interface SuiteWorld {
  readonly provider: Provider
  readonly upstream: TestUpstream
  readonly apiKey: string
  /** Another provider of the same upstream, without the state of the first. */
  another(): Promise<Provider>
  /** Calls a provider, and fails the test if the outcome reveals the API key. */
  ask(kind: SuiteKind, request: SuiteRequest, options?: AskOptions): Promise<SuiteAnswer>
  /** Sets the upstream's reply to the request of a replay; the requests before it get their recorded replies. */
  answer(replay: KindReplay, how: UpstreamAnswer): void
  /** Checks the values that a provider returned or threw, as `ask` does. */
  inspect<Value>(value: Value): Value
}

export interface AskOptions {
  readonly signal?: AbortSignal
  /** Default: the world's provider. */
  readonly provider?: Provider
}

/** A replay of one kind. */
export interface KindReplay {
  readonly kind: SuiteKind
  readonly request: SuiteRequest
  readonly answer: Partial<SuiteAnswer>
  readonly cutOff?: Replay<unknown, unknown>['cutOff']
  /** The requests that the provider sends before the request itself. */
  readonly before: readonly RecordedExchange[]
  readonly exchange: RecordedExchange
}

/** A world whose `verify` fails if a secret was revealed, and whose `explain` adds to an error what led to it. */
export interface OpenWorld extends SuiteWorld {
  /** Grows with each call that begins or ends, and with each request to the upstream. */
  activity(): number
  verify(): void
  explain(error: unknown): unknown
  close(): Promise<void>
}

const apiKey = 'sk-9fK2mX7qLw4RtZ8vB3nHcD5yQ6sJ'

export async function openWorld(makeProvider: MakeProvider): Promise<OpenWorld> {
  const upstream = await openTestUpstream()
  const output = watchOutput()
  const made: Provider[] = []
  const leaks: string[] = []
  const last = { outcome: 'none', reply: 'none', changes: 0 }

  const another = async () => {
    const provider = await makeProvider({ url: upstream.url, apiKey })
    made.push(provider)
    return provider
  }
  const provider = await another()

  function check(source: string, text: string): void {
    const spelling = revealed(text, apiKey)
    if (spelling !== undefined) leaks.push(`${source} reveals the API key as "${spelling}": ${text.slice(0, 1_000)}`)
  }

  return {
    provider,
    apiKey,
    another,
    upstream: { ...upstream, requests: upstream.requests, answer: (how) => upstream.answer(recorded(how, last)) },
    answer(replay, how) {
      upstream.answer(recorded(inTurn(replay, how), last))
    },
    async ask(kind, request, options = {}) {
      last.outcome = `has not settled its call (${kind})`
      last.changes += 1
      try {
        const answer = await askProvider(options.provider ?? provider, kind, request, options.signal)
        const text = printed(answer)
        last.outcome = `returned ${text}`
        check('the answer', text)
        return answer
      } catch (error) {
        const text = printed(error)
        last.outcome = `rejected with ${text}`
        check('the rejection', text)
        throw error
      } finally {
        last.changes += 1
      }
    },
    inspect(value) {
      last.outcome = printed(value)
      check('the outcome', last.outcome)
      return value
    },
    activity: () => last.changes,
    verify() {
      check('the output', output.text())
      expect(leaks, 'the API key must not be revealed').toEqual([])
    },
    explain(error) {
      const facts = `The provider ${last.outcome.slice(0, 2_000)}\nThe upstream last replied: ${last.reply.slice(0, 2_000)}`
      if (error instanceof Error) error.message = `${error.message}\n\n${facts}`
      return error
    },
    async close() {
      output.stop()
      await Promise.all(made.map((each) => each.close?.()))
      await upstream.close()
    },
  }
}

function inTurn({ before }: KindReplay, how: UpstreamAnswer): UpstreamAnswer {
  return (response, request) => {
    const earlier = before.find(({ request: { method, path } }) => method === request.method && path === request.path)
    return (earlier ? replaying(earlier.reply) : how)(response, request)
  }
}

/** The same answers, of which the last is kept for the message of a failing test. */
function recorded(how: UpstreamAnswer, last: { reply: string; changes: number }): UpstreamAnswer {
  return (response, request) => {
    last.changes += 1
    const pieces: string[] = []
    const keep = (chunk: unknown) => {
      if (typeof chunk === 'string') pieces.push(chunk.slice(0, 1_000))
      last.reply = `${response.statusCode} ${pieces.slice(0, 20).join('')}`
    }
    const { write, end } = response
    response.write = ((...args: Parameters<ServerResponse['write']>) => {
      keep(args[0])
      return write.apply(response, args)
    }) as typeof write
    response.end = ((...args: Parameters<ServerResponse['end']>) => {
      keep(args[0])
      return end.apply(response, args)
    }) as typeof end
    return how(response, request)
  }
}

/** Failures after which the router tries again or moves on. */
export const movesOn = /^(retry|timeout|give_up)$/

/** Expects a `ProviderError` of one of these failures for an upstream that answers so. */
export async function expectFailure(
  world: SuiteWorld,
  replay: KindReplay,
  how: UpstreamAnswer,
  failure: RegExp,
): Promise<ProviderError> {
  world.answer(replay, how)
  const provider = await world.another()
  const error = await world.ask(replay.kind, replay.request, { provider }).then(
    (answer) => ({ answer }),
    (caught: unknown) => caught,
  )
  expect(error).toBeInstanceOf(ProviderError)
  expect((error as ProviderError).failure).toMatch(failure)
  return error as ProviderError
}

/** Expects a call to reject within a second of its abort, with the signal's reason. */
export async function expectAborted(call: Promise<unknown>, reason: unknown): Promise<void> {
  const outcome = call.then(
    () => 'it returned an answer',
    (error: unknown) => rejection(error, reason),
  )
  expectReason(await withinASecond(outcome))
}

const withReason = "it rejected with the signal's reason"

export function rejection(error: unknown, reason: unknown): string {
  return error === reason ? withReason : `it rejected with ${printed(error)}`
}

export function expectReason(outcome: unknown): void {
  expect(outcome, "an aborted call must reject with the signal's reason").toBe(withReason)
}

const maxBlockMs = 50

/** Expects work to keep the event loop from other work for at most 50 ms at a time. */
export async function expectShortBlocks(work: () => Promise<unknown>): Promise<void> {
  const block = await longestBlockMs(work, maxBlockMs)
  expect(block, 'milliseconds of CPU time between two turns of the event loop').toBeLessThanOrEqual(maxBlockMs)
}
