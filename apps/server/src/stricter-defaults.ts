import type { Log } from '@fairlead/core'
import type { Stores } from '@fairlead/storage'
import type { Config } from './config.ts'
import { loopbackUrl } from './config-values.ts'

/** Settings whose default depends on when the database was created. */
export interface StrictDefaults {
  readonly signup: boolean
  /** How long a session lasts at most. Undefined: the default of core. */
  readonly sessionDays: number | undefined
  readonly tagsFromMetadata: boolean
  /** Infinity: no limit. Undefined: the default of core. */
  readonly writtenBytesPerDay: number | undefined
  readonly imageBytes: number | undefined
}

const former: StrictDefaults = {
  signup: true,
  sessionDays: Infinity,
  tagsFromMetadata: true,
  writtenBytesPerDay: Infinity,
  imageBytes: Infinity,
}

/** In the settings of the stores: the migration of a database from before sets it. */
const setting = { name: 'defaults', former: '1' } as const

/**
 * The settings, where the environment leaves them out by the defaults of the database: one that was created before a default
 * became stricter keeps it, with a warning.
 */
export async function withStrictDefaults(config: Config, stores: Stores, log: Log): Promise<StrictDefaults> {
  const strict = strictDefaults(config)
  const kept = await stores.read((view) => view.settings.get(setting.name))
  if (kept !== setting.former) return strict
  for (const [name, variable] of Object.entries(variables)) {
    const key = name as keyof StrictDefaults
    if (config[key] !== undefined || former[key] === strict[key]) continue
    log.warn(
      { variable },
      `new databases have a stricter default of ${variable}; this one keeps ${former[key] === Infinity ? 'no limit' : '"on"'} until you set the variable`,
    )
  }
  return { ...former, ...given(config) }
}

/** The settings of a new database. */
export function strictDefaults(config: Config): StrictDefaults {
  return {
    signup: isLocal(config),
    sessionDays: undefined,
    tagsFromMetadata: false,
    writtenBytesPerDay: undefined,
    imageBytes: undefined,
    ...given(config),
  }
}

const variables: Readonly<Record<keyof StrictDefaults, string>> = {
  signup: 'FAIRLEAD_SIGNUP',
  sessionDays: 'FAIRLEAD_SESSION_DAYS',
  tagsFromMetadata: 'FAIRLEAD_TAGS_FROM_METADATA',
  writtenBytesPerDay: 'FAIRLEAD_WRITTEN_BYTES_PER_DAY',
  imageBytes: 'FAIRLEAD_RETENTION_IMAGE_BYTES',
}

function given(config: Config): Partial<StrictDefaults> {
  return Object.fromEntries(
    Object.keys(variables)
      .map((name) => [name, config[name as keyof StrictDefaults]] as const)
      .filter(([, value]) => value !== undefined),
  )
}

/** Whether only this machine reaches the service, as far as its settings tell. */
function isLocal({ host, baseUrl }: Config): boolean {
  const isLoopback = /^(localhost|127\..*|::1)$/i.test(host)
  return isLoopback && (baseUrl === undefined || loopbackUrl.test(baseUrl))
}
