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
  let last: Promise<unknown> = Promise.resolve()
  return (cause) => {
    const reload = last.then(() => logged(reloadAll, cause, logger))
    last = reload.catch(() => {})
    return reload
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
