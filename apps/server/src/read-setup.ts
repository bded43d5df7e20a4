import { type Config, ConfigError, readConfig } from './config.ts'
import { type ConfigFile, loadConfigFile } from './config-file.ts'
import { type ChosenProvider, chooseProviders } from './providers/choose-providers.ts'
import { misspelledVariables } from './providers/misspelled-variables.ts'

/** What the environment and the configuration file say. */
export interface Setup {
  /** Every invalid variable and field outside of the options of providers, as a sentence with a fix. */
  readonly issues: readonly string[]
  /** What does not keep the service from starting. */
  readonly warnings: readonly string[]
  /** Undefined if the environment is invalid. */
  readonly config: Config | undefined
  /** Undefined if there is none, or if it is invalid. */
  readonly file: ConfigFile | undefined
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
  const file = await orIssues(() => loadConfigFile(named, folder))
  const isAutomatic = config?.providers === 'auto' && !file?.config.providers
  const chosen = config && (await orIssues(() => chooseProviders({ names: config.providers, file, environment })))
  return {
    issues,
    warnings: [...(config?.warnings ?? []), ...(isAutomatic ? misspelledVariables(environment) : [])],
    config,
    file,
    chosen: chosen ?? [],
  }
}
