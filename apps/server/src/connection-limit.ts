import type { Server } from 'node:net'
import { type Clock, systemClock } from '@fairlead/core'
import type { Logger } from 'pino'

/** For the database, images and the log. */
const reservedFiles = 100
const maxCallsPerTarget = 10_000
/** A call of an HTTP provider has two connections: the client's and the provider's. */
const enoughFiles = 2 * maxCallsPerTarget
/** The overload has ended when no connection has been dropped for this long, in milliseconds. */
const recoveryMs = 10_000

/** The maximum number of open files of this process; `Infinity` if unknown. */
export function openFileLimit(): number {
  // Without this the report resolves the host name of every peer.
  const { userLimits } = Object.assign(process.report, { excludeNetwork: true }).getReport() as {
    readonly userLimits?: { readonly open_files?: { readonly soft: number | string } }
  }
  const soft = userLimits?.open_files?.soft
  return typeof soft === 'number' ? soft : Infinity
}

/**
 * The maximum of connections, lowered to what the limit of open files allows: Node closes a connection without an event
 * when it runs out of file descriptors, but emits `drop` when its own maximum is reached.
 */
export function connectionLimit(maxConnections: number, maxOpenFiles: number): number {
  return Math.max(1, Math.min(maxConnections, half(maxOpenFiles)))
}

/** The default of `concurrency.perTarget`: 10,000, or what the limit of open files allows. */
export function callLimit(maxOpenFiles = openFileLimit()): number {
  return Math.max(1, Math.min(maxCallsPerTarget, half(maxOpenFiles)))
}

function half(maxOpenFiles: number): number {
  return Math.floor((maxOpenFiles - reservedFiles) / 2)
}

/** A sentence with a fix, if the limit of open files lowers the limits of connections and calls. */
export function lowFileLimit(maxOpenFiles = openFileLimit()): string | undefined {
  if (maxOpenFiles >= enoughFiles) return undefined
  return (
    `The limit of ${maxOpenFiles} open files allows ${callLimit(maxOpenFiles)} concurrent calls to a model: ` +
    `raise it to ${enoughFiles} (ulimit -n; LimitNOFILE of systemd; ulimits of Compose).`
  )
}

/** Lowers the server's maximum of connections to what the open-file limit allows, and logs dropped connections. */
export function limitConnections(server: Server, logger: Pick<Logger, 'warn'>, maxOpenFiles = openFileLimit()): void {
  server.maxConnections = connectionLimit(server.maxConnections, maxOpenFiles)
  const advice = lowFileLimit(maxOpenFiles)
  if (advice !== undefined) logger.warn({ maxOpenFiles, maxConnections: server.maxConnections }, advice)
  logDroppedConnections(server, logger)
}

/** Logs once when the server starts to drop connections, and once when it accepts them again. */
export function logDroppedConnections(server: Server, logger: Pick<Logger, 'warn'>, clock: Clock = systemClock): void {
  let dropped = 0
  server.on('drop', () => {
    dropped++
    if (dropped > 1) return
    logger.warn({ maxConnections: server.maxConnections }, 'connection limit reached, dropping new connections')
    watch(dropped)
  })
  function watch(before: number): void {
    clock.schedule(recoveryMs, () => {
      if (dropped > before) return watch(dropped)
      logger.warn({ dropped }, 'accepting new connections again')
      dropped = 0
    })
  }
}
