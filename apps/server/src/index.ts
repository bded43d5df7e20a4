/** For configuration files of the service. */
export { defineConfig } from './define-config.ts'
export type { FairleadConfig, ProviderEntry, ProviderUse } from './define-config.ts'
