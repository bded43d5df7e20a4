import { replaying } from '../fakes/recorded-exchange.ts'
import { expect } from 'vitest'
import { askWhole, filledIn } from './ask-provider.ts'
import type { SuiteTester } from './suite-tester.ts'
import type { KindReplay, SuiteWorld } from './suite-world.ts'

/** A call has no effect but its answer. */
export function sideEffectTests(tester: SuiteTester, replay: KindReplay): void {
  const { kind } = replay
  tester.test(`prints nothing (${kind})`, async (world) => {
    await askTwice(world, replay)
    const printed = world
      .output()
      .split('\n')
      .filter((line) => line !== '' && !isWarning.test(line))
    expect(printed, 'lines on the console or the standard streams').toEqual([])
  })
  tester.test(`changes nothing in its request (${kind})`, async (world) => {
    world.answer(replay, replaying(replay.exchange.reply))
    const request = structuredClone(await filledIn(world.provider, kind, replay.request))
    const before = structuredClone(request)
    await askWhole(world.provider, kind, request)
    expect(request).toEqual(before)
  })
  tester.test(`changes nothing that all programs share (${kind})`, async (world) => {
    // The first call may start what Node keeps for all, such as its HTTP client.
    await askTwice(world, replay)
    const before = describeGlobals()
    await askTwice(world, replay)
    expect(describeGlobals()).toEqual(before)
  })
}

/** Warnings of Node, which it prints once. */
const isWarning = /^\(node:\d+\)|^\(Use `node/

/** Once with the recorded reply, and once with a failure. */
async function askTwice(world: SuiteWorld, replay: KindReplay): Promise<void> {
  world.answer(replay, replaying(replay.exchange.reply))
  await world.ask(replay.kind, replay.request).catch(() => {})
  world.answer(replay, replaying({ status: 500, json: { error: { message: 'not well' } } }))
  await world.ask(replay.kind, replay.request).catch(() => {})
}

const prototypes = { Object, Array, String, Number, Promise, Function, Error, Map, Set }

function describeGlobals(): object {
  return {
    globals: Object.getOwnPropertyNames(globalThis),
    functions: [globalThis.fetch, setTimeout, JSON.parse, JSON.stringify, Date.now, Math.random],
    prototypes: Object.entries(prototypes).map(([name, { prototype }]) => [
      name,
      Object.getOwnPropertyNames(prototype),
    ]),
    environment: { ...process.env },
    folder: process.cwd(),
    listeners: process.eventNames().map((name) => [String(name), process.listenerCount(name)]),
    stackTraceLimit: Error.stackTraceLimit,
  }
}
