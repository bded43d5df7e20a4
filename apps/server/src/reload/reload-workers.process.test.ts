import cluster, { type Worker } from 'node:cluster'
import { EventEmitter } from 'node:events'
import { expect, test, vi } from 'vitest'
import { readyMessage } from '../workers/receive-connections.ts'
import { reloadWorkers } from './reload-workers.ts'

interface Step {
  readonly reload: number
  readonly step: string
}

/** A worker that keeps the steps that it is asked for, and answers them when told. */
class FakeWorker extends EventEmitter {
  readonly steps: Step[] = []
  isDead = () => false
  send = (message: Step) => void this.steps.push(message)

  /** Answers the last step as soon as it has that name. */
  async answer(step: string, outcome: object = {}): Promise<void> {
    await vi.waitUntil(() => this.steps.at(-1)?.step === step, { timeout: 60_000 })
    this.emit('message', { ...this.steps.at(-1), ...outcome })
  }
}

function fork(): FakeWorker {
  const worker = new FakeWorker()
  cluster.emit('fork', worker as unknown as Worker)
  return worker
}

const becomesReady = (worker: FakeWorker) => cluster.emit('message', worker as unknown as Worker, readyMessage)

test('a worker that becomes ready during a reload reloads after it', async () => {
  const warn = vi.fn<(facts: object, message: string) => void>()
  const { reloadAll } = reloadWorkers({ warn })
  const [first, second] = [fork(), fork()]
  becomesReady(first)
  const reload = reloadAll()
  await expect.poll(() => first.steps.length).toBe(1)
  becomesReady(second)
  await first.answer('prepare')
  expect(second.steps).toEqual([])
  await first.answer('apply')
  expect(await reload).toMatchObject({ processes: 1 })
  await second.answer('prepare', { error: { message: 'routes: is invalid', isInvalid: true } })
  await second.answer('discard')
  await expect.poll(() => warn.mock.lastCall?.[1]).toContain('keeps the configuration of its start')
})
