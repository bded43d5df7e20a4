import { testClock } from '@fairlead/testing'
import { describe, expect, test } from 'vitest'
import { superviseWorkers, type WorkerProcess } from './supervise-workers.ts'

interface FakeWorker extends WorkerProcess {
  readonly messages: readonly string[]
  ready(): void
  end(how: number | string): void
  alive(): void
}

function fakeWorker(): FakeWorker {
  const messages: string[] = []
  let ready = () => {}
  let alive = () => {}
  let end: (how: number | string) => void = () => {}
  return {
    messages,
    onReady: (act) => void (ready = act),
    onEnd: (act) => void (end = act),
    onAlive: (act) => void (alive = act),
    runJobs: () => void messages.push('jobs'),
    wakeJobs: () => void messages.push('wake'),
    kill: () => void messages.push('kill'),
    stop: () => void messages.push('stop'),
    ready: () => ready(),
    alive: () => alive(),
    end: (how) => end(how),
  }
}

function supervised(count: number) {
  const clock = testClock()
  const workers: FakeWorker[] = []
  const losses: [number | string, number][] = []
  const start = () => {
    const worker = fakeWorker()
    workers.push(worker)
    return worker
  }
  const onLoss = (how: number | string, waitMs: number) => void losses.push([how, waitMs])
  let hangs = 0
  const onHang = () => void hangs++
  const supervisor = superviseWorkers({ count, start, clock, onLoss, onHang })
  const nth = (index: number) => workers[index] ?? fakeWorker()
  return { supervisor, clock, workers, losses, nth, hangs: () => hangs }
}

describe('several workers', () => {
  test('several workers start once the first is ready', () => {
    const { workers, nth } = supervised(3)
    expect(workers).toHaveLength(1)
    nth(0).ready()
    expect(workers).toHaveLength(3)
  })

  test('several workers exit with 1 without a retry if the first cannot start', async () => {
    const { workers, nth, supervisor, clock } = supervised(3)
    nth(0).end(1)
    expect(await supervisor.ended).toBe(1)
    clock.advance(60_000)
    expect(workers).toHaveLength(1)
  })

  test('several workers are replaced after a growing delay, which resets once one has run for a minute', () => {
    const { workers, nth, losses, clock } = supervised(1)
    nth(0).ready()
    for (let index = 0; index < 8; index++) {
      nth(index).end('SIGKILL')
      expect(workers).toHaveLength(index + 1)
      clock.advance(losses.at(-1)?.[1] ?? 0)
      expect(workers).toHaveLength(index + 2)
    }
    expect(losses.map(([, waitMs]) => waitMs)).toEqual([250, 500, 1_000, 2_000, 4_000, 8_000, 16_000, 16_000])
    nth(8).ready()
    for (let n = 0; n < 12; n++) {
      clock.advance(5_000)
      nth(8).alive()
    }
    nth(8).end(1)
    expect(losses.at(-1)).toEqual([1, 250])
  })

  test('several workers run the jobs in one of them, and in another when that one exits', () => {
    const { nth } = supervised(2)
    nth(0).ready()
    nth(1).ready()
    expect([nth(0).messages, nth(1).messages]).toEqual([['jobs'], []])
    nth(0).end(1)
    expect(nth(1).messages).toEqual(['jobs'])
  })

  test('several workers exit with 0 when all have stopped', async () => {
    const { supervisor, nth, workers, clock } = supervised(2)
    nth(0).ready()
    supervisor.stop()
    supervisor.stop()
    expect([nth(0).messages, nth(1).messages]).toEqual([['jobs', 'stop'], ['stop']])
    nth(0).end(0)
    nth(1).end(0)
    expect(await supervisor.ended).toBe(0)
    clock.advance(60_000)
    expect(workers).toHaveLength(2)
  })

  test('several workers are not replaced while they stop', async () => {
    const { supervisor, nth, workers, clock } = supervised(1)
    nth(0).ready()
    nth(0).end('SIGKILL')
    supervisor.stop()
    expect(await supervisor.ended).toBe(0)
    clock.advance(60_000)
    expect(workers).toHaveLength(1)
  })

  test('several workers are killed and replaced if they do not respond for 30 seconds', () => {
    const { workers, nth, clock, hangs } = supervised(2)
    nth(0).ready()
    nth(1).ready()
    for (let n = 0; n < 7; n++) {
      clock.advance(5_000)
      nth(0).alive()
    }
    expect([nth(0).messages, nth(1).messages, hangs()]).toEqual([['jobs'], ['kill'], 1])
    nth(1).end('SIGKILL')
    clock.advance(250)
    expect(workers).toHaveLength(3)
  })

  test('several workers are not killed for a stall of the process that supervises them', () => {
    const { nth, clock, hangs } = supervised(1)
    nth(0).ready()
    const { schedule } = clock
    let check = () => {}
    clock.schedule = (ms, callback) => schedule(ms, (check = callback))
    clock.advance(5_000)
    // One timer fires after a stall of any length.
    check()
    nth(0).alive()
    check()
    expect([nth(0).messages, hangs()]).toEqual([['jobs'], 0])
  })

  test('several workers wake the one that runs the jobs', () => {
    const { supervisor, nth } = supervised(2)
    supervisor.wakeJobs()
    nth(0).ready()
    nth(1).ready()
    supervisor.wakeJobs()
    expect([nth(0).messages, nth(1).messages]).toEqual([['jobs', 'wake'], []])
  })
})
