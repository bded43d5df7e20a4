import type { Logger } from 'pino'
import { ConfigError } from '../config-error.ts'
import { nothingChanged, type Reloader, type ReloadReport } from './reloader.ts'

/** Reloads the configuration of all processes of this node. @param cause for the log */
export type Reload = (cause: ReloadCause) => Promise<ReloadReport & { readonly processes: number }>

export interface ReloadCause {
  readonly trigger: 'SIGHUP' | 'POST /admin/reload' | 'another node'
  readonly requestId?: string
  /** When all nodes were asked to reload, in milliseconds since the epoch. Undefined if only this one is. */
  readonly at?: number
}

/** Prepares a reload in all processes, and then applies it in all. Rejects with a `ConfigError`. */
export type ReloadAll = () => Promise<ReloadReport & { readonly processes: number }>

/** Reloads this process alone. */
export function reloadAlone(reloader: Reloader): ReloadAll {
  return async () => {
    const { report, apply } = await reloader.prepare()
    apply()
    return { ...report, processes: 1 }
  }
}

/** Runs one reload after the other, and logs the outcome of each. */
export function createReload(reloadAll: ReloadAll, logger: Logger): Reload {
  const inTurn = createTurns()
  let lastAt: number | undefined
  return (cause) =>
    inTurn(async () => {
      // It was this node that was asked to reload all.
      if (cause.trigger === 'another node' && cause.at === lastAt) return { ...nothingChanged, processes: 0 }
      const report = await logged(reloadAll, cause, logger)
      lastAt = cause.at ?? lastAt
      return report
    })
}

/** Returns a function that runs one piece of work after the other. */
export function createTurns() {
  let last: Promise<unknown> = Promise.resolve()
  return <Result>(work: () => Promise<Result>): Promise<Result> => {
    const result = last.then(work)
    last = result.catch(() => {})
    return result
  }
}

async function logged(reloadAll: ReloadAll, cause: ReloadCause, logger: Logger): ReturnType<ReloadAll> {
  try {
    const report = await reloadAll()
    logger.info({ ...cause, ...report }, 'configuration reloaded')
    return report
  } catch (error) {
    if (!(error instanceof ConfigError)) logger.error({ ...cause, err: error }, 'reload failed')
    else logger.error({ ...cause, issues: error.message.split('\n') }, 'configuration invalid, nothing changed')
    throw error
  }
}
