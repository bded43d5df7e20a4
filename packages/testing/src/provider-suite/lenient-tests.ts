import { type RecordedReply, replaying } from '../fakes/recorded-exchange.ts'
import { ProviderError } from '@fairlead/core/provider'
import { expect } from 'vitest'
import { sparseReplies } from './reply-variants.ts'
import type { SuiteTester } from './suite-tester.ts'
import type { KindReplay, SuiteWorld } from './suite-world.ts'

/** Lenient reading: servers with the same API leave fields out, or send null for them. */
export function lenientTests(tester: SuiteTester, replay: KindReplay): void {
  const { kind } = replay
  if (kind !== 'text' && kind !== 'stream') return
  tester.slowTest(`reads a field that is null as a missing one (${kind})`, (world) => expectAlike(world, replay))
  tester.slowTest(`names the missing field of a reply that it cannot read (${kind})`, (world) =>
    expectNames(world, replay),
  )
}

async function expectAlike(world: SuiteWorld, replay: KindReplay) {
  for (const { path, missing, isNull } of sparseReplies(replay.exchange.reply)) {
    const [without, withNull] = [await findOutcome(world, replay, missing), await findOutcome(world, replay, isNull)]
    expect(withNull instanceof ProviderError, `null in ${path.join('.')} fails the call`).toBe(
      without instanceof ProviderError,
    )
  }
}

async function expectNames(world: SuiteWorld, replay: KindReplay) {
  for (const { path, missing } of sparseReplies(replay.exchange.reply)) {
    const outcome = await findOutcome(world, replay, missing)
    if (outcome instanceof ProviderError) expect(outcome.message).toContain(path.at(-1))
  }
}

async function findOutcome(world: SuiteWorld, replay: KindReplay, reply: RecordedReply): Promise<unknown> {
  world.answer(replay, replaying(reply))
  const provider = await world.another()
  return world.ask(replay.kind, replay.request, { provider }).catch((error: unknown) => error)
}
