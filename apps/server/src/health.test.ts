import { FairleadError } from '@fairlead/core'
import { describe, expect, test } from 'vitest'
import { createReadiness } from './health.ts'

const away = () => Promise.reject(new Error('away'))
const hangs = () => new Promise<never>(() => {})
const answers = async () => {}

function readinessOver(check: () => Promise<void>, checkWrites: () => Promise<void>) {
  const calls = { writes: 0 }
  const clock = { ms: 0 }
  const core = {
    check,
    checkWrites() {
      calls.writes += 1
      return checkWrites()
    },
  }
  return { core, readiness: createReadiness(core, { timeoutMs: 20, now: () => clock.ms }), calls, clock }
}

describe('readiness', () => {
  test.each([
    ['ready', 'reads and writes succeed', answers, answers],
    ['degraded', 'a write fails', answers, away],
    ['degraded', 'a write hangs', answers, hangs],
    ['not ready', 'reads fail', away, answers],
    ['not ready', 'reads hang', hangs, answers],
  ] as const)('readiness is "%s" when %s', async (status, _case, check, checkWrites) => {
    expect(await readinessOver(check, checkWrites).readiness.check()).toEqual({ status })
  })

  test('readiness is "not ready" with a reason if the node must not serve, and does not write', async () => {
    const { core, calls } = readinessOver(answers, answers)
    const reason = 'The images of this node differ.'
    const readiness = createReadiness(core, { refusal: async () => reason })
    expect(await readiness.check()).toEqual({ status: 'not ready', reason })
    expect(calls.writes).toBe(0)
  })

  test('readiness gives the reason of a write that failed, unless it is a bug', async () => {
    const unavailable = new FairleadError('SERVICE_UNAVAILABLE', 'Images cannot be stored or read right now.')
    const { readiness } = readinessOver(answers, () => Promise.reject(unavailable))
    expect(await readiness.check()).toEqual({ status: 'degraded', reason: unavailable.message })
  })

  test('readiness writes at most once a second, however often it is checked', async () => {
    let isFull = true
    const { readiness, calls, clock } = readinessOver(answers, () => (isFull ? away() : answers()))
    const all = await Promise.all(Array.from({ length: 50 }, () => readiness.check()))
    expect(new Set(all.map(({ status }) => status))).toEqual(new Set(['degraded']))
    isFull = false
    clock.ms = 999
    expect(await readiness.check()).toEqual({ status: 'degraded' })
    expect(calls.writes).toBe(1)
    clock.ms = 1_000
    expect(await readiness.check()).toEqual({ status: 'ready' })
    expect(calls.writes).toBe(2)
  })

  test('readiness is "not ready" as soon as the server drains', async () => {
    const { readiness } = readinessOver(answers, answers)
    expect(await readiness.check()).toEqual({ status: 'ready' })
    readiness.drain()
    expect(await readiness.check()).toEqual({ status: 'not ready' })
  })
})
