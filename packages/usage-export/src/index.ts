/** Exports usage records as they are stored. */
export { usageExport } from './usage-export.ts'
export { ndjsonFiles } from './ndjson-files.ts'
export { toLine } from './to-line.ts'
export type { UsageExportOptions } from './usage-export.ts'
export type { UsageBatch, UsageDestination } from './exporter.ts'
export type { Files } from './ndjson-files.ts'
export type { UsageLine } from './to-line.ts'
