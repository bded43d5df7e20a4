import { accounts } from '@fairlead/accounts'
import { createFairlead, systemClock } from '@fairlead/core'
import { operations } from '@fairlead/testing/workspace'
import { addTestCaller, testStores } from '@fairlead/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { local } from './local.ts'
import { failures } from './text/mirror/read-script.ts'

type Ask = (signal?: AbortSignal) => Promise<string>

const stores = testStores({ clock: systemClock })
const fairlead = createFairlead({
  features: [accounts()],
  providers: [local({ images: { workers: 1 }, analysis: { workers: 1 } })],
  stores,
  routing: { retries: { perTarget: 0 } },
})

beforeAll(() => fairlead.core.start(), 60_000)
afterAll(() => fairlead.core.close())

const unknownWords = Array.from({ length: 101 }, (_, index) => 'q'.repeat(index + 3)).join(' ')
const script = (...lines: string[]) => ['```mirror', ...lines, '```'].join('\n')

async function newAccount() {
  const { credentials } = await addTestCaller(stores, systemClock)
  const asks =
    (operation: typeof operations.generate | typeof operations.generateImage | typeof operations.analyze) =>
    (input: object): Ask =>
    async (signal) => {
      const reply = await fairlead.core.run(operation, credentials, input, { ...(signal && { signal }) })
      if (!reply.success) return reply.error.code
      if ('events' in reply) for await (const event of reply.events) if (event.type === 'error') return 'broken off'
      return 'answered'
    }
  return {
    generate: asks(operations.generate),
    paint: asks(operations.generateImage),
    analyze: asks(operations.analyze),
  }
}

describe('an account that has its own calls fail', () => {
  test('an account that has its own calls fail fails none of another account', async () => {
    const hostile = await newAccount()
    const attacks = [
      hostile.analyze({ text: 'A.'.repeat(100), tasks: ['entities'] }),
      hostile.paint({ model: 'vista', prompt: unknownWords, size: '256x256' }),
      ...failures.map((fail) => hostile.generate({ model: 'mirror', prompt: script(`fail: ${fail}`) })),
      hostile.generate({ model: 'mirror', prompt: script('reply: a b', 'fail: malformed'), stream: true }),
    ]
    const waits = hostile.generate({ model: 'mirror', prompt: script('delay_ms: 600000') })
    const victim = await newAccount()
    const calls = {
      mirror: victim.generate({ model: 'mirror', prompt: 'Hello' }),
      stream: victim.generate({ model: 'mirror', prompt: 'Hello', stream: true }),
      scribe: victim.generate({ model: 'scribe', prompt: 'a haiku about rain' }),
      image: victim.paint({ model: 'vista', prompt: 'the sea', size: '256x256' }),
      analysis: victim.analyze({ text: 'Maria Lopez lives in Paris.', tasks: ['entities'] }),
    }
    for (let round = 0; round < 6; round++) {
      const leaving = new AbortController()
      const waiting = [waits(leaving.signal), waits(leaving.signal)]
      await Promise.all(attacks.map((attack) => attack()))
      const entries = Object.entries(calls).map(async ([name, call]) => [name, await call()] as const)
      expect(Object.fromEntries(await Promise.all(entries))).toEqual({
        mirror: 'answered',
        stream: 'answered',
        scribe: 'answered',
        image: 'answered',
        analysis: 'answered',
      })
      leaving.abort()
      await Promise.all(waiting)
    }
    const targets = (await fairlead.providers.list({})).flatMap((provider) => provider.targets)
    expect(targets.map(({ circuit }) => circuit)).toEqual(targets.map(() => 'closed'))
  })
})
