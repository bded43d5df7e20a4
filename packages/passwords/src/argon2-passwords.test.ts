import { lookup } from 'node:dns/promises'
import { availableParallelism } from 'node:os'
import { describe, expect, test } from 'vitest'
import { argon2Passwords } from './argon2-passwords.ts'

const password = 'correct horse battery'

describe('argon2Passwords', () => {
  test('argon2Passwords hashes with argon2id, 19 MiB, two passes and one lane', async () => {
    const { hash } = argon2Passwords()
    expect(await hash(password)).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  })

  test('argon2Passwords salts each hash', async () => {
    const { hash } = argon2Passwords()
    expect(await hash(password)).not.toBe(await hash(password))
  })

  test('argon2Passwords rejects a wrong password', async () => {
    const { hash, verify } = argon2Passwords()
    const kept = await hash(password)
    expect(await verify(password, kept)).toBe(true)
    expect(await verify(`${password} `, kept)).toBe(false)
  })

  test('argon2Passwords rejects every password of an unknown user', async () => {
    const { verify } = argon2Passwords()
    expect(await verify(password, undefined)).toBe(false)
    expect(await verify('', undefined)).toBe(false)
  })

  test('argon2Passwords takes as long for an unknown user as for a known one', async () => {
    const { hash, verify } = argon2Passwords()
    const kept = await hash(password)
    const least = { unknown: Infinity, known: Infinity }
    for (let n = 0; n < 15; n++) {
      least.unknown = Math.min(least.unknown, await computingMsOf(() => verify('not the password', undefined)))
      least.known = Math.min(least.known, await computingMsOf(() => verify('not the password', kept)))
    }
    expect(least.unknown / least.known).toBeGreaterThan(0.67)
    expect(least.unknown / least.known).toBeLessThan(1.5)
  })

  test('argon2Passwords reports hashes with weaker parameters as outdated', async () => {
    const { hash, isOutdated } = argon2Passwords()
    expect(isOutdated(await hash(password))).toBe(false)
    expect(isOutdated('$argon2id$v=19$m=4096,t=3,p=1$c2FsdHNhbHQ$aGFzaA')).toBe(true)
    expect(isOutdated('$2b$10$abcdefghijklmnopqrstuv')).toBe(true)
  })
})

describe('a flood of logins', () => {
  test('a flood of logins is rejected beyond the running hashes and twenty waiting', async () => {
    const { verify } = argon2Passwords({ concurrency: 2, queue: 20 })
    const outcomes = await Promise.allSettled(Array.from({ length: 50 }, () => verify(password, undefined)))
    const refused = outcomes.filter((outcome) => outcome.status === 'rejected')
    expect(refused).toHaveLength(28)
    expect(refused[0]?.reason).toMatchObject({ code: 'SERVICE_UNAVAILABLE', retryAfterMs: 1000 })
  })

  test('a flood of logins rejects more than twenty waiting by default', async () => {
    const { verify } = argon2Passwords()
    const outcomes = await Promise.allSettled(Array.from({ length: 30 }, () => verify(password, undefined)))
    const checked = outcomes.filter((outcome) => outcome.status === 'fulfilled')
    expect(checked).toHaveLength(Math.min(2, availableParallelism()) + 20)
  })

  test('a flood of logins from one network leaves other networks their share of the queue', async () => {
    const { verify } = argon2Passwords({ concurrency: 2, queue: 20 })
    const flood = Promise.allSettled(Array.from({ length: 40 }, () => verify(password, undefined, 'hostile')))
    const others = Array.from({ length: 4 }, (_, n) => verify(password, undefined, `network ${n}`))
    expect(await Promise.all(others)).toEqual([false, false, false, false])
    const refused = (await flood).filter((outcome) => outcome.status === 'rejected')
    expect(refused).toHaveLength(22)
  })

  test('a flood of logins leaves threads for DNS and files', async () => {
    const { verify } = argon2Passwords()
    let checked = 0
    const count = () => void checked++
    const flood = Promise.allSettled(Array.from({ length: 22 }, () => verify(password, undefined).then(count)))
    await lookup('localhost')
    // If all threads were taken, the lookup would wait for most of the hashes.
    expect(checked).toBeLessThan(10)
    await flood
    expect(checked).toBeGreaterThan(20)
  })

  test('a flood of logins frees the queue when it is over, also after failures', async () => {
    const { verify } = argon2Passwords({ concurrency: 1, queue: 1 })
    await expect(verify(password, 'no hash at all')).rejects.toThrow('Decoding failed')
    for (let n = 0; n < 3; n++) expect(await verify(password, undefined)).toBe(false)
  })
})

/** The CPU time of all threads, because the hashes are computed in others. */
async function computingMsOf(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1_000
}
