import type { Clock } from '@fairlead/core'

/** One process of several that serve together. */
export interface WorkerProcess {
  onReady(act: () => void): void
  onEnd(act: (how: number | string) => void): void
  /** Has it do what one process of all should do, such as removing what is too old. */
  runJobs(): void
  /** Asks it to finish what is in flight, and to end. */
  stop(): void
}

export interface SuperviseOptions {
  readonly count: number
  start(): WorkerProcess
  readonly clock: Clock
  /** Hears of each that ended unasked, and of the wait before another takes its place. */
  onLoss(how: number | string, waitMs: number): void
}

export interface Supervisor {
  /** Resolves with the exit code when the last has ended. */
  readonly ended: Promise<number>
  stop(): void
}

/** Waits before a worker takes the place of one that ended, in milliseconds: each twice the one before. */
const firstWaitMs = 250
const longestWaitMs = 16_000
/** Who ran so long did not end for a reason that it was started with, in milliseconds. */
const steadyMs = 60_000

/**
 * Keeps so many workers running until told to stop. The first starts alone, for it makes what the others find made; where it
 * can't start, none could.
 */
export function superviseWorkers({ count, start, clock, onLoss }: SuperviseOptions): Supervisor {
  const { promise: ended, resolve: end } = Promise.withResolvers<number>()
  const running = new Set<WorkerProcess>()
  const ready = new Set<WorkerProcess>()
  let withJobs: WorkerProcess | undefined
  let isUp = false
  let isStopping = false
  let losses = 0

  function begin(): void {
    const worker = start()
    running.add(worker)
    worker.onReady(() => welcome(worker))
    worker.onEnd((how) => replace(worker, how))
  }

  function welcome(worker: WorkerProcess): void {
    ready.add(worker)
    giveJobs()
    clock.schedule(steadyMs, () => {
      if (ready.has(worker)) losses = 0
    })
    if (isUp || isStopping) return
    isUp = true
    for (let others = count - 1; others > 0; others--) begin()
  }

  function replace(worker: WorkerProcess, how: number | string): void {
    running.delete(worker)
    ready.delete(worker)
    if (withJobs === worker) withJobs = undefined
    if (isStopping || !isUp) {
      if (running.size === 0) end(isStopping ? 0 : 1)
      return
    }
    giveJobs()
    const waitMs = Math.min(firstWaitMs * 2 ** losses++, longestWaitMs)
    onLoss(how, waitMs)
    clock.schedule(waitMs, () => {
      if (!isStopping) begin()
    })
  }

  function giveJobs(): void {
    if (withJobs || isStopping) return
    ;[withJobs] = ready
    withJobs?.runJobs()
  }

  begin()
  return {
    ended,
    stop() {
      if (isStopping) return
      isStopping = true
      for (const worker of running) worker.stop()
      if (running.size === 0) end(0)
    },
  }
}
