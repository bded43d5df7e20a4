import { defineFeature, type Feature } from '@fairlead/core'
import { startExporter, type UsageDestination } from './exporter.ts'

export interface UsageExportOptions {
  /** Each gets every record. */
  readonly to: readonly UsageDestination[]
  /** How often to look for new records, in milliseconds. Default: 60,000. */
  readonly everyMs?: number | undefined
}

/**
 * Exports every usage record at least once, also those that are stored already: in the order of their commits, by the
 * process that runs the jobs (`startJobs`), and on from where it ended. The stores keep the progress of each destination.
 * Records that retention removes before they are exported are not.
 *
 * @example
 *   const fairlead = createFairlead({
 *     providers,
 *     stores,
 *     features: [accounts(), usageExport({ to: [ndjsonFiles(diskFiles('/var/lib/usage'))] })],
 *   })
 *   fairlead.core.startJobs()
 */
export function usageExport({ to, everyMs = 60_000 }: UsageExportOptions): Feature {
  return defineFeature({
    name: 'usage_export',
    operations: {},
    setUp({ stores, clock, log }) {
      const { storedUsage } = stores
      if (!storedUsage)
        throw new TypeError('usageExport: the stores have no `storedUsage`: use those of @fairlead/storage')
      return {
        startJob() {
          const exporters = to.map((destination) =>
            startExporter({ stores, storedUsage, clock, log, destination, everyMs }),
          )
          return { stop: async () => void (await Promise.all(exporters.map((exporter) => exporter.stop()))) }
        },
      }
    },
  })
}
