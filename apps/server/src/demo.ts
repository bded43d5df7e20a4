import type { FairleadConfig } from './define-config.ts'
import type { Provider } from '@fairlead/core/provider'
import { type Config, ConfigError } from './config.ts'

type Aliases = NonNullable<FairleadConfig['aliases']>

/** The ids that clients usually ask for, and the embedded models that stand in for them. The first pattern that matches counts. */
const standIns: Aliases = {
  'gpt-image-*': 'local/vista',
  'dall-e-*': 'local/vista',
  'text-embedding-*': 'local/lexis',
  'gemini-embedding-*': 'local/lexis',
  'gpt-*': 'local/demo',
  'claude-*': 'local/demo',
  'gemini-*': 'local/demo',
}

/**
 * The aliases of the configuration file, followed by the demo's, if it is on. Models of other providers come before
 * both. Throws `ConfigError` if the demo has no models.
 */
export function combineAliases(
  { demo }: Pick<Config, 'demo'>,
  configured: Aliases | undefined,
  providers: readonly Provider[],
): Aliases | undefined {
  if (!demo) return configured
  const models = providers.find(({ id }) => id === 'local')?.models
  if (!Array.isArray(models) || !models.some(({ id }) => id === 'demo')) {
    throw new ConfigError(
      'FAIRLEAD_DEMO=on needs the embedded provider: add "local" to FAIRLEAD_PROVIDERS, or to the providers of the configuration file',
    )
  }
  const own = Object.entries(standIns).filter(([pattern]) => !Object.hasOwn(configured ?? {}, pattern))
  return { ...configured, ...Object.fromEntries(own) }
}
