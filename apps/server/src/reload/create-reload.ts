import type { Logger } from 'pino'
import { ConfigError } from '../config-error.ts'
import type { Reload, ReloadCause } from './reload-operation.ts'
import type { Reloader, ReloadReport } from './reloader.ts'

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
  return (cause) => inTurn(() => logged(reloadAll, cause, logger))
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
