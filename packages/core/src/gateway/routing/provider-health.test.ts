import { describe, expect, test } from 'vitest'
import type { Provider } from '../../provider.ts'
import { scripted, testCore } from '@fairlead/testing'

const never = () => new Promise<void>(() => {})

/** Advances the clock until the work settles. */
async function expectToSettle(work: Promise<void>, clock: { advance(ms: number): void }): Promise<void> {
  const settled = work.then(() => 'settled')
  const minute = async () => {
    clock.advance(60_000)
    return Promise.race([settled, nextTurn('pending')])
  }
  await expect.poll(minute, { interval: 5 }).toBe('settled')
}

function nextTurn<Value>(value: Value): Promise<Value> {
  return new Promise((resolve) => setImmediate(resolve, value))
}

describe('warmUp and closeProvider', () => {
  test('warmUp and closeProvider stop waiting for a warm-up that never settles', async () => {
    const stuck: Provider = { ...scripted('stuck', 'x'), warmUp: never }
    const { core, clock, logged } = await testCore({ providers: [stuck] })
    await expectToSettle(core.start(), clock)
    expect(logged).toMatchObject([{ facts: { provider: 'stuck' }, message: 'warming up a provider failed' }])
  })

  test('warmUp and closeProvider stop waiting for a close that never settles', async () => {
    const stuck: Provider = { ...scripted('stuck', 'x'), close: never }
    const { core, clock, logged } = await testCore({ providers: [stuck] })
    await expectToSettle(core.close(), clock)
    expect(logged).toMatchObject([{ facts: { provider: 'stuck' }, message: 'closing a provider failed' }])
  })

  test('warmUp and closeProvider do not log that closing ended a warm-up', async () => {
    const warmed = Promise.withResolvers<void>()
    const interrupted: Provider = {
      ...scripted('interrupted', 'x'),
      warmUp: () => warmed.promise,
      close: async () => warmed.reject(new Error('Terminating worker thread')),
    }
    const { core, logged } = await testCore({ providers: [interrupted] })
    const started = core.start()
    await nextTurn(undefined)
    await core.close()
    await started
    expect(logged).toEqual([])
  })

  test('warmUp and closeProvider log errors that a provider throws synchronously', async () => {
    const faulty: Provider = {
      ...scripted('faulty', 'x'),
      warmUp() {
        throw new Error('no')
      },
      close() {
        throw new Error('no')
      },
    }
    const { core, logged } = await testCore({ providers: [faulty] })
    await core.start()
    await core.close()
    expect(logged.map(({ message }) => message)).toEqual(['warming up a provider failed', 'closing a provider failed'])
  })
})
