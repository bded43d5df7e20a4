import { isDeepStrictEqual } from 'node:util'
import type { ChangedIds } from '@fairlead/core'
import type { FairleadConfig } from '../define-config.ts'
import type { FairleadCore } from '@fairlead/core/adapter'
import type { Provider } from '@fairlead/core/provider'
import { changedVariables, type Config, ConfigError } from '../config.ts'
import { type ConfigFile, withFileName, routingOptionsIn } from '../config-file.ts'
import { type ChosenProvider, isSameProvider, loadProviders } from '../providers/choose-providers.ts'
import type { Setup } from '../read-setup.ts'

/** The changes of a reload. */
export interface ReloadReport {
  /** By id. A provider has changed if its options have, such as its API key. */
  readonly providers: ChangedIds
  readonly routes: ChangedIds
  /** Variables and fields with another value that only a restart applies. */
  readonly needsRestart: readonly string[]
}

const none = { added: [], removed: [], changed: [] }
export const nothingChanged: ReloadReport = { providers: none, routes: none, needsRestart: [] }

/** A valid configuration whose providers are loaded, and that is not in use yet. */
export interface PreparedReload {
  readonly report: ReloadReport
  apply(): void
  /** Closes the providers that it has loaded. */
  discard(): Promise<void>
}

/** The configuration in use. */
export interface InUse {
  readonly file: ConfigFile | undefined
  readonly chosen: readonly ChosenProvider[]
  readonly providers: readonly Provider[]
}

export interface ReloaderOptions {
  /** The environment at the start. */
  readonly config: Config
  readonly core: Pick<FairleadCore, 'reconfigure'>
  readonly inUse: InUse
  /** Reads the environment and the configuration file again. */
  read(): Promise<Setup>
  /** Called with the configuration file of each reload that is applied. */
  onApply(file: ConfigFile | undefined): void
}

/** Reads the configuration again. */
export interface Reloader {
  /** Changes nothing yet. Rejects with a `ConfigError` that has a line for each invalid variable and field. */
  prepare(): Promise<PreparedReload>
}

export function createReloader({ config, core, inUse, read, onApply }: ReloaderOptions): Reloader {
  let current = inUse

  async function prepare(): Promise<PreparedReload> {
    const setup = await read()
    const { file, chosen } = setup
    const issues = [...setup.issues, ...chosen.flatMap((each) => each.check())]
    if (issues.length > 0 || !setup.config) throw new ConfigError(issues.join('\n'))
    const kept = keptProviders(current, chosen)
    const loaded = await loadProviders(chosen.filter((each) => !kept.has(each)))
    const discard = async () => void (await Promise.allSettled(loaded.map(async (provider) => provider.close?.())))
    try {
      const rest = [...loaded]
      const providers = chosen.map((each) => kept.get(each) ?? rest.shift()!)
      const { changes, apply } = await withFileName(file, () =>
        core.reconfigure({
          providers,
          analysisModel: file?.config.analysisModel,
          routing: routingOptionsIn(file, config, providers),
        }),
      )
      const needsRestart = [...changedVariables(config, setup.config), ...changedFields(inUse.file, file)]
      return {
        report: { ...changes, needsRestart },
        apply() {
          apply()
          current = { file, chosen, providers }
          onApply(file)
        },
        discard,
      }
    } catch (error) {
      await discard()
      throw error
    }
  }

  return { prepare }
}

/** The providers whose options are the same as before: they keep their connections and loaded models. */
function keptProviders({ chosen: before, providers }: InUse, chosen: readonly ChosenProvider[]) {
  const kept = new Map<ChosenProvider, Provider>()
  for (const each of chosen) {
    const index = before.findIndex((other) => isSameProvider(each, other))
    const provider = providers[index]
    if (provider && ![...kept.values()].includes(provider)) kept.set(each, provider)
  }
  return kept
}

/** The fields with another value that only a start reads. Functions cannot be compared: features count by their names. */
function changedFields(before: ConfigFile | undefined, after: ConfigFile | undefined): readonly string[] {
  const read = ({ rateLimits, budgets, webhooks, defaults, cache, features = [] }: FairleadConfig = {}) => ({
    rateLimits,
    budgets,
    webhooks,
    defaults,
    cache,
    features: features.map(({ name }) => name),
  })
  const [old, fresh] = [read(before?.config), read(after?.config)]
  const names = Object.keys(fresh) as (keyof typeof fresh)[]
  return names.filter((name) => !isDeepStrictEqual(old[name], fresh[name]))
}
