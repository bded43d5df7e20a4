import cluster, { type Worker } from 'node:cluster'
import type { Log } from '@fairlead/core'
import { ConfigError } from '../config-error.ts'
import { readyMessage } from '../workers/receive-connections.ts'
import { createTurns, type Reload, type ReloadAll, type ReloadCause } from './create-reload.ts'
import { nothingChanged, type PreparedReload, type Reloader, type ReloadReport } from './reloader.ts'

// Messages between the primary process and its workers. Each step of a reload has an answer of the same form.

type Step = 'prepare' | 'apply' | 'discard'

interface StepMessage {
  readonly reload: number
  readonly step: Step
}

interface Outcome {
  readonly report?: ReloadReport & { readonly processes?: number }
  readonly error?: { readonly message: string; readonly isInvalid: boolean }
}

/** Of a worker, to reload all. */
interface RequestMessage {
  readonly request: number
  readonly cause: ReloadCause
}

/** The channel between the processes. */
interface Channel {
  on(event: 'message', act: (message: unknown) => void): unknown
  off(event: 'message', act: (message: unknown) => void): unknown
  send?(message: object): unknown
}

export interface WorkersReload {
  readonly reloadAll: ReloadAll
  /** Sends a message to one of the workers that are ready. Returns whether there is one. */
  tellOne(message: string): boolean
}

/**
 * Reloads all workers: each reads and loads the configuration, and only if it is valid in all, each applies it. A worker
 * that started before a reload and is ready after it catches up.
 */
export function reloadWorkers(log: Pick<Log, 'warn'>): WorkersReload {
  const ready = new Set<Worker>()
  /** By worker, how many reloads there were when it started. */
  const startedAt = new Map<Worker, number>()
  let reloads = 0
  let ids = 0
  // A worker that prepared two reloads at once could keep a provider that the first of them closes.
  const inTurn = createTurns()
  cluster.on('fork', (worker) => startedAt.set(worker, reloads))
  cluster.on('exit', (worker) => {
    ready.delete(worker)
    startedAt.delete(worker)
  })
  cluster.on('message', (worker: Worker, message: unknown) => {
    if (message !== readyMessage) return
    ready.add(worker)
    if (startedAt.get(worker) !== reloads) catchUp(worker)
  })

  function catchUp(worker: Worker): void {
    void inTurn(() => reload([worker])).catch((error: unknown) => {
      log.warn({ error }, 'a worker that started during a reload keeps the configuration of its start')
    })
  }

  async function reload(workers: readonly Worker[]) {
    const id = ++ids
    const inAll = (step: Step) => Promise.all(workers.map((worker) => ask(worker, { reload: id, step })))
    const prepared = await inAll('prepare')
    const failed = prepared.find((outcome) => outcome?.error)
    if (failed) {
      await inAll('discard')
      throw toError(failed)
    }
    const applied = await inAll('apply')
    const report = prepared.find((outcome) => outcome?.report)?.report ?? nothingChanged
    return { ...report, processes: applied.filter((outcome) => outcome && !outcome.error).length }
  }

  return {
    reloadAll() {
      // Now, because a worker that becomes ready meanwhile may have read the earlier configuration.
      reloads++
      return inTurn(() => reload([...ready]))
    },
    tellOne(message) {
      const [worker] = ready
      worker?.send(message, () => {})
      return worker !== undefined
    },
  }
}

/** The outcome of a step in a worker; undefined if the worker has exited. */
function ask(worker: Worker, message: StepMessage): Promise<Outcome | undefined> {
  return new Promise((resolve) => {
    const onMessage = (answer: unknown) => {
      if (isStep(answer) && answer.reload === message.reload && answer.step === message.step) settle(answer)
    }
    const onExit = () => settle(undefined)
    function settle(outcome: Outcome | undefined): void {
      worker.off('message', onMessage).off('exit', onExit)
      resolve(outcome)
    }
    worker.on('message', onMessage).on('exit', onExit)
    if (worker.isDead()) settle(undefined)
    else worker.send(message, (error) => error && settle(undefined))
  })
}

/** Lets workers request a reload of all. Runs in the primary process. */
export function answerReloadRequests(reload: Reload): void {
  cluster.on('message', (worker: Worker, message: unknown) => {
    if (!isRequest(message)) return
    const { request, cause } = message
    void toOutcome(() => reload(cause)).then((outcome) => worker.send({ request, ...outcome }, () => {}))
  })
}

/** Runs the steps of reloads in this worker. @param channel default: the channel of this process */
export function takePartInReloads(reloader: Reloader, channel: Channel = process as Channel): void {
  const prepared = new Map<number, PreparedReload>()
  const steps: Readonly<Record<Step, (id: number) => Promise<ReloadReport | undefined>>> = {
    async prepare(id) {
      const next = await reloader.prepare()
      prepared.set(id, next)
      return next.report
    },
    async apply(id) {
      prepared.get(id)?.apply()
      prepared.delete(id)
      return undefined
    },
    async discard(id) {
      await prepared.get(id)?.discard()
      prepared.delete(id)
      return undefined
    },
  }
  channel.on('message', (message) => {
    if (!isStep(message)) return
    const { reload, step } = message
    void toOutcome(() => steps[step](reload)).then((outcome) => channel.send?.({ reload, step, ...outcome }))
  })
}

let requests = 0

/** Asks the primary process to reload all workers. */
export function requestReload(channel: Channel = process as Channel): Reload {
  return (cause) =>
    new Promise((resolve, reject) => {
      const request = ++requests
      const onMessage = (message: unknown) => {
        if (!isObject(message) || message['request'] !== request) return
        channel.off('message', onMessage)
        const { report, error } = message as Outcome
        if (error) reject(toError({ error }))
        else resolve({ processes: 0, ...nothingChanged, ...report })
      }
      channel.on('message', onMessage)
      channel.send?.({ request, cause } satisfies RequestMessage)
    })
}

async function toOutcome(work: () => Promise<Outcome['report'] | undefined>): Promise<Outcome> {
  try {
    const report = await work()
    return report ? { report } : {}
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    return { error: { message, isInvalid: error instanceof ConfigError } }
  }
}

function toError({ error }: Outcome): Error {
  return error?.isInvalid ? new ConfigError(error.message) : new Error(error?.message)
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}

function isStep(message: unknown): message is StepMessage & Outcome {
  return isObject(message) && typeof message['reload'] === 'number'
}

function isRequest(message: unknown): message is RequestMessage {
  return isObject(message) && typeof message['request'] === 'number'
}
