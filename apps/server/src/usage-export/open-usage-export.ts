import type { Feature } from '@fairlead/core'
import type { UsageDestination } from '@fairlead/usage-export'
import type { Service } from '../app.ts'
import type { Config } from '../config.ts'
import { ConfigError } from '../config-error.ts'
import type { ExportTarget } from '../config-values.ts'

type ExportConfig = Pick<Config, 'usageExport' | 'usageExportMs' | 's3Access' | 'otlpEndpoint'>

/** The feature that exports usage records to what `FAIRLEAD_USAGE_EXPORT` names; none without it. */
export async function openUsageExport(config: ExportConfig, service: Service): Promise<readonly Feature[]> {
  const { usageExport: targets, usageExportMs: everyMs } = config
  if (targets.length === 0) return []
  const { usageExport } = await import('@fairlead/usage-export')
  const to = await Promise.all(targets.map((target) => open(target, config, service)))
  return [usageExport({ to, everyMs })]
}

async function open(
  target: ExportTarget,
  { s3Access, otlpEndpoint }: ExportConfig,
  service: Service,
): Promise<UsageDestination> {
  if (target.kind === 'otlp') {
    const { otlpLogs } = await import('./otlp-logs.ts')
    return otlpLogs(otlpEndpoint!, service)
  }
  const { ndjsonFiles } = await import('@fairlead/usage-export')
  if (target.kind === 's3')
    return ndjsonFiles((await import('@fairlead/storage/s3')).s3Files({ ...s3Access, ...target }))
  const { diskFiles } = await import('@fairlead/storage')
  try {
    return ndjsonFiles(await diskFiles(target.folder))
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new ConfigError(`FAIRLEAD_USAGE_EXPORT names ${target.folder}, which cannot be used.\n${reason}`, {
      cause: error,
    })
  }
}
