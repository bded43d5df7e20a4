import type { AccessLogRecord, Observer } from '@fairlead/core'
import type { Logger } from 'pino'

/** Requested every few seconds, by machines. */
export const monitoringRoutes: ReadonlySet<string> = new Set(['/healthz', '/readyz', '/metrics'])

/** Logs each request. */
export function accessLog(logger: Pick<Logger, 'debug' | 'info' | 'error'>): Observer {
  return { requestEnded: (record) => logger[levelOf(record)](record, 'request completed') }
}

function levelOf({ status, route }: AccessLogRecord): 'debug' | 'info' | 'error' {
  if (monitoringRoutes.has(route)) return 'debug'
  return status >= 500 ? 'error' : 'info'
}
