import type { Clock } from '@fairlead/core'

/** One of several worker processes. */
export interface WorkerProcess {
  onReady(act: () => void): void
  onEnd(act: (how: number | string) => void): void
  /** Calls back every two seconds while the worker responds. */
  onAlive(act: () => void): void
  /** Ends it at once. */
  kill(): void
  /** Lets its jobs look for work now. */
  wakeJobs(): void
  /** Runs the jobs that one process runs for all, such as removing expired records. */
  runJobs(): void
  /** Asks it to finish its requests and exit. */
  stop(): void
}

export interface SuperviseOptions {
  readonly count: number
  start(): WorkerProcess
  readonly clock: Clock
  /** Called when a worker exits unexpectedly, with the delay before another is started. */
  onLoss(how: number | string, waitMs: number): void
  /** Called when a worker is killed because it does not respond. */
  onHang(): void
}

/** The delay before a worker is replaced, in milliseconds. It doubles with each loss. */
const minDelayMs = 250
const maxDelayMs = 16_000
/** A worker that ran for this long, in milliseconds, resets the delay. */
const stableMs = 60_000
/** How often the workers are checked, in milliseconds. */
const checkEveryMs = 5_000
/**
 * How many checks a worker may miss. Counted by checks, not by time: after a stall of this process, what the workers sent
 * meanwhile is read after the next check.
 */
const maxMissed = 6

/**
 * Keeps `count` workers running until `stop`. The first starts alone, because it creates the database and the admin; if it
 * cannot start, no other could.
 */
export function superviseWorkers({ count, start, clock, onLoss, onHang }: SuperviseOptions) {
  const { promise: ended, resolve: end } = Promise.withResolvers<number>()
  const running = new Set<WorkerProcess>()
  /** With the number of checks since each was last heard of. */
  const ready = new Map<WorkerProcess, number>()
  let withJobs: WorkerProcess | undefined
  let isUp = false
  let isStopping = false
  let losses = 0

  function startWorker(): void {
    const worker = start()
    running.add(worker)
    worker.onReady(() => addReady(worker))
    worker.onAlive(() => {
      if (ready.has(worker)) ready.set(worker, 0)
    })
    worker.onEnd((how) => replace(worker, how))
  }

  function addReady(worker: WorkerProcess): void {
    ready.set(worker, 0)
    assignJobs()
    clock.schedule(stableMs, () => {
      if (ready.has(worker)) losses = 0
    })
    if (isUp || isStopping) return
    isUp = true
    for (let others = count - 1; others > 0; others--) startWorker()
  }

  function replace(worker: WorkerProcess, how: number | string): void {
    running.delete(worker)
    ready.delete(worker)
    if (withJobs === worker) withJobs = undefined
    if (isStopping || !isUp) {
      if (running.size === 0) end(isStopping ? 0 : 1)
      return
    }
    assignJobs()
    const waitMs = Math.min(minDelayMs * 2 ** losses++, maxDelayMs)
    onLoss(how, waitMs)
    clock.schedule(waitMs, () => {
      if (!isStopping) startWorker()
    })
  }

  function assignJobs(): void {
    if (withJobs || isStopping) return
    ;[withJobs] = ready.keys()
    withJobs?.runJobs()
  }

  function check(): void {
    if (isStopping) return
    clock.schedule(checkEveryMs, check)
    for (const [worker, missed] of ready) {
      ready.set(worker, missed + 1)
      if (missed < maxMissed) continue
      ready.delete(worker)
      onHang()
      worker.kill()
    }
  }

  startWorker()
  clock.schedule(checkEveryMs, check)
  return {
    wakeJobs: () => withJobs?.wakeJobs(),
    /** Resolves with the exit code when the last has ended. */
    ended,
    stop() {
      if (isStopping) return
      isStopping = true
      for (const worker of running) worker.stop()
      if (running.size === 0) end(0)
    },
  }
}
