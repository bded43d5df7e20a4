import { availableParallelism } from 'node:os'
import { type ProviderCall, ProviderError, type ProviderFailure } from '@fairlead/core/provider'
import { Tinypool } from 'tinypool'

export interface WorkerPoolOptions {
  /** The module that the threads run. */
  readonly file: URL
  /** The name by which the module exports its work. */
  readonly run: string
  readonly workers: number
  /** Tasks that may wait while all threads are busy. */
  readonly queue: number
  /** How long a task is taken to run until some have been timed. */
  readonly usualMs: number
}

/** Runs one function on a pool of threads; idle threads keep no process alive. */
export interface WorkerPool<Task, Result> {
  /**
   * Rejects with `retry` when the queue is full, and with the signal's reason as soon as it aborts. The thread goes on
   * with the task, and the call keeps its place until the thread is free.
   */
  run(task: Task, call: Pick<ProviderCall, 'signal' | 'waitUntil'>): Promise<Result>
  close(): Promise<void>
}

/**
 * A thread is only ended if its task outlives the caller by so much. A new one takes longer to load than most tasks run,
 * and an account that abandons calls could keep every thread loading.
 */
const graceMs = 10_000

/** Whoever comes back later than this waits for an estimate, not for us. */
const maxRetryMs = 30_000

/**
 * A thread for each core, and two at least: core never gives one account the last thread, so that another account's
 * short task need not wait for a long one.
 */
export function defaultWorkers(max = Number.POSITIVE_INFINITY): number {
  return Math.max(2, Math.min(max, availableParallelism()))
}

/** A worker's file, by its name without the ending: beside this one in `src`, and beside all others in `dist`. */
export function workerFile(name: string): URL {
  return new URL(name + import.meta.url.slice(import.meta.url.lastIndexOf('.')), import.meta.url)
}

/** The first task starts the threads: a service that is not asked for images needs no memory for them. */
export function workerPool<Task, Result>(options: WorkerPoolOptions): WorkerPool<Task, Result> {
  const { workers } = options
  let threads: Tinypool | undefined
  let pending = 0
  let closed = false
  let usualMs = options.usualMs
  const started = () => (threads ??= startThreads(options))

  const submit = async (task: Task, cancel: AbortSignal): Promise<Result> => {
    const startedAt = performance.now()
    pending += 1
    try {
      const result = (await started().run(task, { name: options.run, signal: cancel })) as Result
      usualMs = usualMs * 0.8 + ((performance.now() - startedAt) / Math.ceil(pending / workers)) * 0.2
      return result
    } catch (error) {
      throw asProviderError(error, closed ? 'give_up' : 'retry')
    } finally {
      pending -= 1
      if (threads) reportExits(threads)
    }
  }

  return {
    async run(task, { signal, waitUntil }) {
      signal.throwIfAborted()
      if (pending >= workers + options.queue) {
        const retryAfterMs = Math.min(maxRetryMs, Math.ceil((usualMs * (pending - workers + 1)) / workers))
        throw new ProviderError('retry', 'every thread is busy and the queue is full', { retryAfterMs })
      }
      const cancel = new AbortController()
      const working = submit(task, cancel.signal)
      waitUntil?.(working)
      return abortable(working, signal, cancel)
    },
    async close() {
      closed = true
      const ending = threads
      threads = undefined
      await ending?.destroy()
    },
  }
}

function startThreads({ file, workers }: WorkerPoolOptions): Tinypool {
  const pool = new Tinypool({
    filename: file.href,
    // As many at least as at most: after an abort the pool only replaces the thread if it is below its minimum.
    minThreads: workers,
    maxThreads: workers,
    // The process's own flags (`--eval`, `--input-type`) would be taken for the thread's.
    execArgv: [],
    // Waiting by Atomics would block the thread between tasks, so that it never frees a canvas: 75 MB more a picture.
    useAtomics: false,
  })
  // An idle thread's death is met again by the next task, which can tell it to someone.
  pool.on('error', () => undefined)
  reportExits(pool)
  return pool
}

const watchedThreads = new WeakSet<object>()

/**
 * Tinypool 2.2.0 replaces a thread that threw, but not one that exited: a task would wait for it for ever, and so would
 * `destroy`. It has no event for the threads that it starts later: those are found again after each task.
 */
function reportExits(pool: Tinypool): void {
  for (const thread of pool.threads) {
    if (watchedThreads.has(thread)) continue
    watchedThreads.add(thread)
    thread.once('exit', () => {
      if (!pool.threads.includes(thread)) return
      thread.emit('error', Object.assign(new Error('the thread has exited'), { code: 'ERR_WORKER_EXITED' }))
      reportExits(pool)
    })
  }
}

/** Lets the caller go at once when the signal aborts, and cancels the work unless it ends within the grace period. */
async function abortable<Result>(
  working: Promise<Result>,
  signal: AbortSignal,
  cancel: AbortController,
): Promise<Result> {
  const { promise: aborted, reject } = Promise.withResolvers<never>()
  const leave = () => {
    const timer = setTimeout(() => cancel.abort(), graceMs)
    working.catch(() => undefined).finally(() => clearTimeout(timer))
    reject(signal.reason)
  }
  signal.addEventListener('abort', leave, { once: true })
  try {
    return await Promise.race([working, aborted])
  } finally {
    signal.removeEventListener('abort', leave)
  }
}

/** A thread that died may be replaced by the next call; what the function itself threw is its bug and passes as it is. */
function asProviderError(error: unknown, failure: ProviderFailure): unknown {
  const lost = error instanceof Error && (hasWorkerCode(error) || /Terminating worker|cancelled/.test(error.message))
  return lost ? new ProviderError(failure, 'the thread ended before its task', { cause: error }) : error
}

function hasWorkerCode(error: Error): boolean {
  return 'code' in error && String(error.code).startsWith('ERR_WORKER')
}
