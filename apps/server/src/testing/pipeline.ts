import { fork } from 'node:child_process'
import { once } from 'node:events'
import { performance } from 'node:perf_hooks'

/** Pipelined requests without a key: all of a connection are sent at once. */
export interface PipelineAttack {
  readonly url: string
  readonly path: string
  readonly connections: number
  /** Requests of each connection. */
  readonly requests: number
}

/** The outcome of an attack. */
export interface PipelineOutcome {
  /** Responses by status. */
  readonly statuses: Readonly<Record<string, number>>
  /** The longest time that `/healthz` took meanwhile, in milliseconds. */
  readonly healthzMs: number
}

/** Runs an attack until each connection has ended, and measures `/healthz` on another connection meanwhile. */
export async function pipeline(attack: PipelineAttack): Promise<PipelineOutcome> {
  const healthz = async () => {
    const sentAt = performance.now()
    await (await fetch(`${attack.url}/healthz`)).text()
    return performance.now() - sentAt
  }
  await healthz()
  const child = fork(new URL('pipeline-client.ts', import.meta.url), [JSON.stringify(attack)])
  const over = new AbortController()
  const statuses = once(child, 'message').finally(() => over.abort())
  let healthzMs = 0
  while (!over.signal.aborted) healthzMs = Math.max(healthzMs, await healthz())
  const [counts] = (await statuses) as [PipelineOutcome['statuses']]
  return { statuses: counts, healthzMs: Math.round(healthzMs) }
}
