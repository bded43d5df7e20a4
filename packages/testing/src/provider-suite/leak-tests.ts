import type { UpstreamAnswer } from '../fakes/test-upstream.ts'
import { replaying } from '../fakes/recorded-exchange.ts'
import type { Provider } from '@fairlead/core/provider'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect } from 'vitest'
import type { SuiteRequest } from './ask-provider.ts'
import { watchResources } from './resources.ts'
import { printed } from './secrets.ts'
import { methodOf, type SuiteKind, suiteKinds } from './suite-options.ts'
import type { SuiteTester } from './suite-tester.ts'
import type { KindReplay, SuiteWorld } from './suite-world.ts'

/** No call of an HTTP API puts its prompt into an error. */
export function leakTests(tester: SuiteTester, replay: KindReplay): void {
  const { kind } = replay
  tester.test(`puts no prompt into an error (${kind})`, (world) => expectNoPrompt(world, replay))
}

/** One test for all kinds, because what it costs grows with the memory of the process and not with the calls. */
export function memoryTests(tester: SuiteTester): void {
  const { replays } = tester
  if (replays.length === 0) return
  tester.slowTest('keeps no prompt in memory after its calls', (world) => expectForgotten(world, replays))
}

/** Neither a call nor a closed provider leaves anything running. */
export function resourceTests(tester: SuiteTester): void {
  const findReplay = (kind: SuiteKind) => tester.replays.find((replay) => replay.kind === kind)
  const isTested = (kind: SuiteKind) => tester.replays.length === 0 || findReplay(kind) !== undefined
  for (const kind of suiteKinds) {
    tester.test(
      `clears its timers when a call ends (${kind})`,
      (world) => expectCleared(world, kind, tester.requestOf(kind), findReplay(kind)),
      (provider) => (provider[methodOf[kind]] && isTested(kind) ? undefined : `it has no ${methodOf[kind]}`),
    )
  }
  tester.test('leaves nothing running after close', async (world) => {
    const resources = watchResources()
    try {
      const provider = await resources.watch(() => world.another())
      const kind = suiteKinds.find((each) => provider[methodOf[each]] && isTested(each))
      if (kind) await resources.watch(() => askOnce(world, kind, tester.requestOf(kind), findReplay(kind), provider))
      await provider.close?.()
      expect(await resources.running(), 'what `close` leaves running').toEqual([])
    } finally {
      resources.stop()
    }
  })
}

async function askOnce(
  world: SuiteWorld,
  kind: SuiteKind,
  request: SuiteRequest,
  replay: KindReplay | undefined,
  provider: Provider,
) {
  if (replay) world.answer(replay, replaying(replay.exchange.reply))
  await world.ask(kind, replay?.request ?? request, { provider })
}

async function expectCleared(
  world: SuiteWorld,
  kind: SuiteKind,
  request: SuiteRequest,
  replay: KindReplay | undefined,
) {
  // Its first call may start what all calls share.
  await askOnce(world, kind, request, replay, world.provider)
  const resources = watchResources()
  try {
    await resources.watch(() => askOnce(world, kind, request, replay, world.provider))
    if (replay) {
      world.answer(replay, failures['status 500']!)
      await resources.watch(() => world.ask(kind, replay.request).catch(() => {}))
    }
    const timers = (await resources.running()).filter((type) => type === 'Timeout')
    expect(timers, 'timers that still run after their calls').toEqual([])
  } finally {
    resources.stop()
  }
}

const failures: Readonly<Record<string, UpstreamAnswer>> = {
  'status 400': replaying({ status: 400, json: { error: { message: 'not so' } } }),
  'status 401': replaying({ status: 401, json: { error: { message: 'not you' } } }),
  'status 429': replaying({ status: 429, json: { error: { message: 'not now' } } }),
  'status 500': replaying({ status: 500, json: { error: { message: 'not well' } } }),
  'a closed connection': (response) => void response.destroy(),
  'a web page': replaying({ headers: { 'content-type': 'text/html' }, text: '<html>Sign in</html>' }),
}

const secret = 'Where did Ms. Ravenscroft hide it?'

async function expectNoPrompt(world: SuiteWorld, replay: KindReplay) {
  for (const [failure, how] of Object.entries(failures)) {
    world.answer(replay, how)
    const provider = await world.another()
    const outcome = await world.ask(replay.kind, withInput(replay, secret), { provider }).catch(printed)
    expect(outcome, `the error for ${failure} has the text of the prompt`).not.toContain(secret)
  }
}

/** The request of a replay with another prompt, or with other texts. */
function withInput({ kind, request }: KindReplay, input: string): SuiteRequest {
  const { messages: _messages, ...settings } = request
  if (kind === 'embedding') return { ...request, texts: request.texts?.map((_, index) => `${index} ${input}`) ?? [] }
  return { ...settings, [kind === 'analysis' ? 'text' : 'prompt']: input }
}

const [promptLength, calls, maxAttempts] = [40_000, 50, 2]
const sentBytes = promptLength * calls

async function expectForgotten(world: SuiteWorld, replays: readonly KindReplay[]) {
  for (const replay of replays) await askOften(world, replay, 5)
  let used = await usedBytes()
  async function growth(of: readonly KindReplay[]): Promise<number> {
    const before = used
    for (const replay of of) await askOften(world, replay, calls)
    used = await usedBytes()
    return used - before
  }

  if ((await growth(replays)) < sentBytes / 2) return
  const keeping: SuiteKind[] = []
  for (const replay of replays) {
    let grown = sentBytes
    // Repeated, because other work of the process may use memory meanwhile.
    for (let attempt = 0; attempt < maxAttempts && grown > sentBytes / 2; attempt++) {
      grown = Math.min(grown, await growth([replay]))
    }
    if (grown >= sentBytes / 2) keeping.push(replay.kind)
  }
  const half = `half of ${sentBytes} bytes of prompts or more are still in use after ${calls} calls`
  expect(keeping, `${half} (${keeping.join(', ')})`).toEqual([])
}

async function askOften(world: SuiteWorld, replay: KindReplay, count: number): Promise<void> {
  world.answer(replay, replaying(replay.exchange.reply))
  for (let call = 0; call < count; call++) {
    const input = `${call} `.padEnd(promptLength, 'a long text, ')
    await world.ask(replay.kind, withInput(replay, input)).catch(() => {})
  }
  world.upstream.forget()
}

const maxCollections = 8
const stableBytes = 100_000
let collectGarbage: (() => void) | undefined

async function usedBytes(): Promise<number> {
  if (!collectGarbage) {
    setFlagsFromString('--expose-gc')
    collectGarbage = runInNewContext('gc') as () => void
  }
  // The second collection frees objects that are registered for finalization, and later ones the remains of other work.
  let used = Infinity
  for (let turn = 0; turn < maxCollections; turn++) {
    collectGarbage()
    await new Promise((resolve) => setImmediate(resolve))
    const { heapUsed, external } = process.memoryUsage()
    const freed = used - (heapUsed + external)
    used = heapUsed + external
    if (turn > 0 && freed < stableBytes) break
  }
  return used
}
