import { Counter, Gauge, Registry } from 'prom-client'
import { describe, expect, test } from 'vitest'
import { type MeteredWorker, WorkerMetrics } from './cluster-metrics.ts'

function setUp() {
  const all = new WorkerMetrics()
  /** A worker with separate metrics, which may hang. */
  function worker(id: number) {
    const registry = new Registry()
    const registers = [registry]
    const count = new Counter({ name: 'requests_total', help: 'Requests.', registers })
    const load = new Gauge({ name: 'load', help: 'Load.', registers })
    const metered = {
      id,
      isHung: false,
      count,
      load,
      send() {
        if (!metered.isHung) void registry.getMetricsAsJSON().then((values) => all.note(id, values))
      },
    }
    return metered satisfies MeteredWorker
  }
  const lines = async (workers: readonly MeteredWorker[]) =>
    (await all.collect(workers)).split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  return { all, worker, lines }
}

describe('the metrics of several workers', () => {
  test('the metrics of several workers are their sums', async () => {
    const { worker, lines } = setUp()
    const workers = [worker(1), worker(2)]
    for (const { count, load } of workers) {
      count.inc(3)
      load.set(2)
    }
    expect(await lines(workers)).toEqual(['requests_total 6', 'load 4'])
  })

  test('the metrics of several workers have the last values of one that hangs', async () => {
    const { worker, lines } = setUp()
    const [one, other] = [worker(1), worker(2)]
    one.count.inc(3)
    other.count.inc(4)
    expect(await lines([one, other])).toContain('requests_total 7')
    other.isHung = true
    one.count.inc(1)
    expect(await lines([one, other])).toContain('requests_total 8')
  })

  test('the metrics of several workers keep the counts of those that have ended, and not their load', async () => {
    const { all, worker, lines } = setUp()
    const workers = [worker(1), worker(2), worker(3)]
    for (const { count, load } of workers) {
      count.inc(5)
      load.set(1)
    }
    expect(await lines(workers)).toEqual(['requests_total 15', 'load 3'])
    await all.end(1)
    await all.end(2)
    expect(await lines(workers.slice(2))).toEqual(['requests_total 15', 'load 1'])
  })
})
