import { describe, expect, test } from 'vitest'
import type { Provider } from '../../provider.ts'
import { scripted, testCore } from '../../testing.ts'

const never = () => new Promise<void>(() => {})

/** Passes time until the work ends. */
async function endsInTime(work: Promise<void>, clock: { advance(ms: number): void }): Promise<void> {
  const ended = work.then(() => 'ended')
  const minute = async () => {
    clock.advance(60_000)
    return Promise.race([ended, nextTurn('under way')])
  }
  await expect.poll(minute, { timeout: 10_000, interval: 5 }).toBe('ended')
}

function nextTurn<Value>(value: Value): Promise<Value> {
  return new Promise((resolve) => setImmediate(resolve, value))
}

describe('a provider that never settles', () => {
  test('keeps no service from starting', async () => {
    const stuck: Provider = { ...scripted('stuck', 'x'), warmUp: never }
    const { core, clock, logged } = await testCore({ providers: [stuck] })
    await endsInTime(core.start(), clock)
    expect(logged).toMatchObject([{ facts: { provider: 'stuck' }, message: 'the provider could not warm up' }])
  })

  test('keeps no service from closing', async () => {
    const stuck: Provider = { ...scripted('stuck', 'x'), close: never }
    const { core, clock, logged } = await testCore({ providers: [stuck] })
    await endsInTime(core.close(), clock)
    expect(logged).toMatchObject([{ facts: { provider: 'stuck' }, message: 'the provider could not close' }])
  })

  test('is as bad as one that throws before it returns', async () => {
    const rude: Provider = {
      ...scripted('rude', 'x'),
      warmUp() {
        throw new Error('no')
      },
      close() {
        throw new Error('no')
      },
    }
    const { core, logged } = await testCore({ providers: [rude] })
    await core.start()
    await core.close()
    expect(logged.map(({ message }) => message)).toEqual([
      'the provider could not warm up',
      'the provider could not close',
    ])
  })
})
