import { readSetup } from './read-setup.ts'

export interface CheckedConfig {
  /** Every invalid variable and field outside of the options of providers, as a sentence with a fix. */
  readonly issues: readonly string[]
  /** Faults that do not keep the service from starting. */
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
  const { issues, warnings, file, chosen } = await readSetup(environment, folder)
  const providers = chosen.map(({ name, reason, check }) => ({ name, reason, issues: check() }))
  return { issues, warnings, providers, file: file?.name }
}
