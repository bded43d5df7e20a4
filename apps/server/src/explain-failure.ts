import { ConfigError } from './config.ts'

/** How the operator can fix errors of the operating system, by code. */
const fixes: Readonly<Record<string, string>> = {
  EADDRNOTAVAIL: 'HOST is not an address of this machine: set it to one, such as 127.0.0.1 or 0.0.0.0.',
  ENOTFOUND: 'HOST cannot be resolved: set it to an address, such as 127.0.0.1.',
  EACCES: 'Permission denied: set PORT above 1023, and FAIRLEAD_DATA_DIR to a directory that this user can write.',
}

/** Why the service cannot start, and what to do. A stack shows only for a defect. */
export function explainFailure(error: unknown): string {
  if (error instanceof ConfigError) return error.message
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (code === 'EADDRINUSE') return explainPortInUse((error as Error & { readonly port: number }).port)
  return fixes[code] ?? (error instanceof Error ? (error.stack ?? error.message) : String(error))
}

function explainPortInUse(port: number): string {
  const isMetricsPort = process.env['FAIRLEAD_METRICS_ADDRESS']?.endsWith(`:${port}`) === true
  const variable = isMetricsPort ? 'FAIRLEAD_METRICS_ADDRESS' : 'PORT'
  return `Port ${port} is in use: stop the program that listens on it, or set ${variable} to another one.`
}
