import { type Config, ConfigError, readConfig } from './config.ts'
import { type ConfigFile, loadConfigFile } from './config-file.ts'
import { chooseProviders } from './providers/choose-providers.ts'
import { misspelledVariables } from './providers/misspelled-variables.ts'

export interface CheckedConfig {
  /** Every invalid variable and field outside of the options of providers, as a sentence with a fix. */
  readonly issues: readonly string[]
  /** What does not keep the service from starting. */
  readonly warnings: readonly string[]
  /** The providers, what enables each, and the variables and options that would keep it from loading. */
  readonly providers: readonly {
    readonly name: string
    readonly reason: string
    readonly issues: readonly string[]
  }[]
  /** The name of the configuration file. Undefined if there is none. */
  readonly file: string | undefined
}

/** Checks the environment and the configuration file, and loads no provider. */
export async function checkConfig(
  environment: Readonly<Record<string, string | undefined>>,
  folder: string,
): Promise<CheckedConfig> {
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
  const config: Config | undefined = await orIssues(() => readConfig(environment))
  const named = environment['FAIRLEAD_CONFIG'] || undefined
  const file: ConfigFile | undefined = await orIssues(() => loadConfigFile(named, folder))
  const isAutomatic = config?.providers === 'auto' && !file?.config.providers
  const chosen = config && (await orIssues(() => chooseProviders({ names: config.providers, file, environment })))
  return {
    issues,
    warnings: [...(config?.warnings ?? []), ...(isAutomatic ? misspelledVariables(environment) : [])],
    providers: (chosen ?? []).map(({ name, reason, check }) => ({ name, reason, issues: check() })),
    file: file?.name,
  }
}
