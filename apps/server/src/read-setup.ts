import { type Config, ConfigError, readProviderList, readConfig, readValidConfig } from './config.ts'
import { type ConfigFile, hasProviders, issuesOfFile, openConfigFile } from './config-file.ts'
import { type ChosenProvider, chooseProviders } from './providers/choose-providers.ts'
import { misspelledVariables } from './providers/misspelled-variables.ts'

/** The settings of the environment and the configuration file. */
export interface Setup {
  /** Every invalid variable and field outside of the options of providers, as a sentence with a fix. */
  readonly issues: readonly string[]
  /** Faults that do not keep the service from starting. */
  readonly warnings: readonly string[]
  /** Undefined if the environment is invalid. */
  readonly config: Config | undefined
  /** Undefined if there is none, or if it is invalid. */
  readonly file: ConfigFile | undefined
  /** Also if something else is invalid, so that a check of the configuration finds all errors at once. */
  readonly chosen: readonly ChosenProvider[]
}

/** Reads the environment and the configuration file, and loads no provider. */
export async function readSetup(
  environment: Readonly<Record<string, string | undefined>>,
  folder: string,
): Promise<Setup> {
  const issues: string[] = []
  const orIssues = async <Result>(read: () => Result | Promise<Result>): Promise<Result | undefined> => {
    try {
      return await read()
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error
      issues.push(...error.message.split('\n'))
      return undefined
    }
  }
  const config = await orIssues(() => readConfig(environment))
  const named = environment['FAIRLEAD_CONFIG'] || undefined
  const opened = await orIssues(() => openConfigFile(named, folder))
  const ofFile = opened ? issuesOfFile(opened) : []
  issues.push(...ofFile)
  const file = ofFile.length === 0 ? opened : undefined
  const names = readProviderList(environment)
  const withProviders = opened && hasProviders(opened) ? opened : undefined
  const isAutomatic = names === 'auto' && !withProviders?.config.providers
  const chosen = await orIssues(() => chooseProviders({ names, file: withProviders, environment }))
  // A variable that is missing may be one that is misspelled.
  const { warnings } = config ?? readValidConfig(environment).config
  return {
    // A secret that cannot be read fails both the environment and its providers.
    issues: [...new Set(issues)],
    warnings: [...warnings, ...(isAutomatic ? misspelledVariables(environment) : [])],
    config,
    file,
    chosen: chosen ?? [],
  }
}
