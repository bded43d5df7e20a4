import { inspect } from 'node:util'
import { expect } from 'vitest'
import { ProviderError } from '../../gateway/provider-error.ts'
import type { UpstreamAnswer } from '../test-upstream.ts'
import { answerInTurn } from './answer-in-turn.ts'
import { askProvider } from './ask-provider.ts'
import type { KindReplay, SuiteWorld } from './suite-tester.ts'

/** Failures after which a router tries again, or elsewhere. */
export const movingOn = /^(retry|timeout|give_up)$/

/** What a provider makes of an upstream that answers so: a `ProviderError` of that kind, and no secret in it. */
export async function expectFailure(world: SuiteWorld, replay: KindReplay, answer: UpstreamAnswer, failure: RegExp) {
  answerInTurn(world.upstream, replay, answer)
  const error = await askProvider(world.provider, replay.kind, replay.request).catch((caught: unknown) => caught)
  expect(error).toBeInstanceOf(ProviderError)
  expect((error as ProviderError).failure).toMatch(failure)
  expectNoSecret(error, world)
  return error as ProviderError
}

/** Whatever a log may show of an error, the key is not in it. */
export function expectNoSecret(error: unknown, { apiKey }: SuiteWorld): void {
  expect(inspect(error, { depth: Infinity, showHidden: true })).not.toContain(apiKey)
}
