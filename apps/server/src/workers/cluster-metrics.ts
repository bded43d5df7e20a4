import cluster, { type Worker } from 'node:cluster'
import { AggregatorRegistry, type MetricObject, Registry } from 'prom-client'

const allRequest = 'fairlead: metrics of all workers'
const ownRequest = 'fairlead: metrics of this worker'

type Values = readonly MetricObject[]

/** How long a worker has to send its metrics, in milliseconds. After that, its last ones count. */
const waitMs = 1_000
/** How long the primary process may take, in milliseconds. After that, a worker returns its own metrics. */
const timeoutMs = 2_000

/** A worker, as its metrics are asked for. */
export interface MeteredWorker {
  readonly id: number
  send(message: string, onError: () => void): unknown
}

/**
 * The sums of the metrics of several workers. No counter falls: for a worker that does not answer, its last values count, and
 * the counts of one that has ended stay.
 */
export class WorkerMetrics {
  readonly #last = new Map<number, Values>()
  readonly #waiting = new Map<number, () => void>()
  #ended: Values = []

  /** A worker has sent its metrics. */
  note(id: number, values: Values): void {
    this.#last.set(id, values)
    this.#waiting.get(id)?.()
  }

  async end(id: number): Promise<void> {
    const counts = this.#last.get(id)?.filter(({ type }) => isCount(type)) ?? []
    this.#last.delete(id)
    this.#waiting.get(id)?.()
    this.#ended = await sum([this.#ended, counts]).getMetricsAsJSON()
  }

  /** In the text format. */
  async collect(workers: readonly MeteredWorker[]): Promise<string> {
    await Promise.all(workers.map((worker) => this.#ask(worker)))
    return sum([...this.#last.values(), this.#ended]).metrics()
  }

  #ask(worker: MeteredWorker): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer)
        this.#waiting.delete(worker.id)
        resolve()
      }
      const timer = setTimeout(done, waitMs)
      const others = this.#waiting.get(worker.id)
      this.#waiting.set(worker.id, () => {
        done()
        others?.()
      })
      worker.send(ownRequest, done)
    })
  }
}

function sum(all: readonly Values[]): Registry {
  return AggregatorRegistry.aggregate(all as MetricObject[][])
}

/** Names in the JSON of prom-client, and numbers in its types. */
function isCount(type: unknown): boolean {
  return type === 'counter' || type === 'histogram'
}

/** Lets workers request the sums of the metrics of all workers. */
export function answerMetrics(): void {
  const all = new WorkerMetrics()
  cluster.on('message', (worker: Worker, message: unknown) => {
    if (hasField(message, 'own')) all.note(worker.id, message.own as Values)
    if (message !== allRequest) return
    const workers = Object.values(cluster.workers ?? {}).filter((each) => each !== undefined)
    all.collect(workers).then(
      // The worker may have exited meanwhile.
      (metrics) => worker.send({ metrics }, () => {}),
      () => {},
    )
  })
  cluster.on('exit', ({ id }) => void all.end(id))
}

/** The sums of the metrics of all workers, requested from the primary process. */
export function clusterMetrics(own: Registry): () => Promise<string> {
  process.on('message', (message) => {
    if (message === ownRequest) void own.getMetricsAsJSON().then((values) => process.send?.({ own: values }))
  })
  let pending: Promise<string> | undefined
  return () =>
    (pending ??= requestMetrics()
      .catch(() => own.metrics())
      .finally(() => (pending = undefined)))
}

function requestMetrics(): Promise<string> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => settle(() => reject(new Error('the primary process did not respond'))), timeoutMs)
    const onMessage = (message: unknown) => {
      if (hasField(message, 'metrics')) settle(() => resolve(String(message.metrics)))
    }
    function settle(act: () => void): void {
      clearTimeout(timer)
      process.off('message', onMessage)
      act()
    }
    process.on('message', onMessage)
    process.send?.(allRequest)
  })
}

function hasField<Name extends string>(message: unknown, name: Name): message is Record<Name, unknown> {
  return typeof message === 'object' && message !== null && name in message
}
