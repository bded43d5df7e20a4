import {
  type TestUpstream,
  type UpstreamAnswer,
  type UpstreamRequest,
  openTestUpstream,
} from '../fakes/test-upstream.ts'
import { longestBlockMs, withinASecond } from '../fakes/event-loop.ts'
import { type Provider, ProviderError } from '@fairlead/core/provider'
import { expect } from 'vitest'
import { askProvider, type SuiteAnswer, type SuiteRequest } from './ask-provider.ts'
import { bounded } from './bounded.ts'
import { recorded } from './recorded.ts'
import { findTokens, isTokenRequest, playScript, type Replies, type Script } from './script.ts'
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
  /** Sets the upstream's reply to the main request of a replay; the others get their recorded replies, or those given. */
  answer(replay: KindReplay, how: UpstreamAnswer, others?: Replies): void
  /** Sets the upstream's reply to all requests but those for a token. */
  answerAll(replays: readonly KindReplay[], how: UpstreamAnswer): void
  /** The requests since the last `answer`, without those for a token, and those that repeat the one before. */
  sent(): readonly UpstreamRequest[]
  /** The texts on the console and the standard streams so far. */
  output(): string
  /** Checks the values that a provider returned or threw, as `ask` does. */
  inspect<Value>(value: Value): Value
}

export interface AskOptions {
  readonly signal?: AbortSignal
  /** Default: the world's provider. */
  readonly provider?: Provider
}

/** A replay of one kind. */
export interface KindReplay extends Script {
  readonly kind: SuiteKind
  readonly request: SuiteRequest
  readonly answer: Partial<SuiteAnswer>
  readonly cutOff?: Replay<unknown, unknown>['cutOff']
  readonly failing?: Replay<unknown, unknown>['failing']
}

/** A world whose `verify` fails if a secret was revealed, and whose `explain` adds to an error what led to it. */
export interface OpenWorld extends SuiteWorld {
  /** Grows with each call that begins or ends. */
  activity(): number
  /** The last thing that the provider did. */
  outcome(): string
  verify(): void
  explain(error: unknown): unknown
  close(): Promise<void>
}

/** The API key that the suite gives to a provider, for recorded requests that have it in their path or body. */
export const suiteApiKey = 'sk-9fK2mX7qLw4RtZ8vB3nHcD5yQ6sJ'

/** How long the function that makes a provider, or its `close`, may take. */
const maxSetupMs = 10_000

export async function openWorld(makeProvider: MakeProvider): Promise<OpenWorld> {
  const upstream = await openTestUpstream()
  const output = watchOutput()
  const made: Provider[] = []
  const leaks: string[] = []
  const last = { outcome: 'has not been called', reply: 'none', changes: 0 }
  const current: { script?: Script; start: number; stopPolling: () => void } = { start: 0, stopPolling() {} }

  const another = async () => {
    const making = Promise.resolve(makeProvider({ url: upstream.url, apiKey: suiteApiKey }))
    const provider = await bounded(making, maxSetupMs, () => 'the function that makes the provider has not returned')
    made.push(provider)
    return provider
  }
  const provider = await another()

  function check(source: string, text: string): void {
    const tokens = current.script ? findTokens(current.script, upstream.requests.slice(current.start)) : []
    const spelling = revealed(text, suiteApiKey)
    const token = tokens.find((each) => text.includes(each))
    const shown = text.slice(0, 1_000)
    if (spelling !== undefined) leaks.push(`${source} reveals the API key as "${spelling}": ${shown}`)
    if (token !== undefined) leaks.push(`${source} reveals the token "${token}": ${shown}`)
  }

  /** Ends a call that asks for the result of a job again and again. */
  function untilPolledOn(signal: AbortSignal | undefined): AbortSignal | undefined {
    if (!current.script || current.script.exchanges.length === 1) return signal
    const controller = new AbortController()
    current.stopPolling = () => controller.abort(new PollsOn())
    return signal ? AbortSignal.any([signal, controller.signal]) : controller.signal
  }

  const world: OpenWorld = {
    provider,
    apiKey: suiteApiKey,
    another,
    upstream: {
      ...upstream,
      requests: upstream.requests,
      answer: (how) => upstream.answer(recorded(how, last)),
      forget() {
        upstream.forget()
        current.start = 0
      },
    },
    answer(replay, how, others = new Map()) {
      Object.assign(current, { script: replay, start: upstream.requests.length })
      const replies = new Map([[replay.exchange, how], ...others])
      upstream.answer(
        recorded(
          playScript(replay, replies, () => current.stopPolling()),
          last,
        ),
      )
    },
    answerAll([replay], how) {
      if (replay?.token) world.answer({ ...replay, exchanges: [replay.token, replay.exchange] }, how)
      else upstream.answer(recorded(how, last))
    },
    sent() {
      const { script, start } = current
      const requests = upstream.requests.slice(start).filter((request) => !script || !isTokenRequest(script, request))
      return requests.filter(({ path, text }, index) => {
        const before = requests[index - 1]
        return !(before && before.path === path && before.text === text)
      })
    },
    output: () => output.text(),
    async ask(kind, request, options = {}) {
      last.outcome = `has not settled its call (${kind})`
      last.changes += 1
      try {
        const signal = untilPolledOn(options.signal)
        const answer = await askProvider(options.provider ?? provider, kind, request, signal)
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
    outcome: () => last.outcome,
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
      try {
        const closing = Promise.all(made.map((each) => each.close?.()))
        await bounded(closing, maxSetupMs, () => '`close` of the provider has not ended')
      } finally {
        await upstream.close()
      }
    },
  }
  return world
}

/** The outcome of a call that still polls after the last of several recorded replies: core's deadline would end it. */
class PollsOn extends ProviderError {
  constructor() {
    super('retry', 'the call was ended because it polls on after the last recorded reply')
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
