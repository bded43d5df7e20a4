import { nearest, type ProviderEntry } from '@fairlead/core'
import type { Provider } from '@fairlead/core/provider'
import { ConfigError } from '../config.ts'
import { faultsOf } from '../config-file.ts'
import type { BuiltInProvider, Environment, Options } from './http-provider.ts'
import { builtInProviders } from './built-in-providers.ts'
import { readOptions, withoutSecrets } from './configured-options.ts'

export interface ConfiguredEntry {
  readonly entry: ProviderEntry
  /** What holds it: a file, or a variable. */
  readonly place: string
  /** Where it stands there, such as `providers[1]`. */
  readonly field: string
  /** The file that names it; undefined where the environment alone does. */
  readonly from: string | undefined
}

/** Makes a provider of what is configured, or throws `ConfigError` with the fields at fault and their mend. */
export async function loadProvider(configured: ConfiguredEntry, environment: Environment): Promise<Provider> {
  const { entry } = configured
  const where = `${configured.place}: ${configured.field}`
  if (typeof entry !== 'string' && !('use' in entry)) return checkMade(entry, where)
  const { use, ...given } = typeof entry === 'string' ? { use: entry } : entry
  if (typeof use !== 'string') throw new ConfigError(`${where}.use must be the name of a provider or of its package`)
  const { options, secrets, faults } = readOptions(given, environment, where)
  if (faults.length > 0) throw new ConfigError(faults.join('\n'))
  const make = await findMaker(use, configured, environment)
  try {
    return checkProvider(await make(options), where)
  } catch (error) {
    throw withCleanMessage(error, where, secrets)
  }
}

/** What has no contract may well be options whose `use` was forgotten. */
function checkMade(entry: object, where: string): Provider {
  if ('contract' in entry) return checkProvider(entry, where)
  throw new ConfigError(
    `${where}.use is missing: it names the provider, such as { "use": "openai" }; one that is made already has a contract`,
  )
}

/** What finds packages is loaded for those who have plugins. */
async function findPlugin(specifier: string, from: string, where: string): Promise<Maker | undefined> {
  const { loadPlugin } = await import('./load-plugin.ts')
  return loadPlugin({ specifier, from, where })
}

type Maker = (options: Options) => unknown

async function findMaker(use: string, configured: ConfiguredEntry, environment: Environment): Promise<Maker> {
  const { from } = configured
  const where = `${configured.place}: ${configured.field}`
  const builtIn = Object.hasOwn(builtInProviders, use) ? builtInProviders[use] : undefined
  if (builtIn) return (options) => builtIn.make(checkOptions(builtIn, options, environment, configured))
  const plugin = from === undefined ? undefined : await findPlugin(use, from, where)
  if (plugin) return plugin
  throw new ConfigError(`${where} names "${use}", which is ${whyMissing(use)}`)
}

function whyMissing(use: string): string {
  if (/^\.{0,2}\//.test(use)) return 'no file: write its path, with its ending, as seen from the configuration file'
  const names = Object.keys(builtInProviders)
  const meant = nearest(use, names)
  const guess = meant === undefined ? '' : ` (did you mean "${meant}"?)`
  return (
    `neither built in nor installed${guess}. Built in are ${names.join(', ')}; ` +
    `a plugin is installed with: npm install ${use}`
  )
}

function checkOptions(
  builtIn: BuiltInProvider,
  given: Options,
  environment: Environment,
  { place, field }: ConfiguredEntry,
): Options {
  const options = { ...builtIn.fromEnvironment(environment), ...given }
  const faults = faultsOf(builtIn.options, options, place, field)
  if (faults.length > 0) throw new ConfigError(faults.join('\n'))
  return options
}

/** How providers over HTTP begin, with their id, what they say of an option. */
const beforeOption = /^[a-z0-9.-]+: (?=(?:apiKey|baseUrl|headers|timeouts)\b)/

/** What a factory says of its options may repeat them. */
function withCleanMessage(error: unknown, where: string, secrets: readonly string[]): ConfigError {
  if (error instanceof ConfigError) return error
  const reason = withoutSecrets(error instanceof Error ? error.message : String(error), secrets)
  const isOfOption = beforeOption.test(reason)
  return new ConfigError(isOfOption ? `${where}.${reason.replace(beforeOption, '')}` : `${where}: ${reason}`)
}

/** What a factory made, if it is a provider of the contract that this house is written to. */
function checkProvider(made: unknown, where: string): Provider {
  const { contract, id, models } = (typeof made === 'object' && made !== null ? made : {}) as Partial<Provider>
  if (contract === undefined || typeof id !== 'string' || models === undefined) {
    throw new ConfigError(`${where} is no provider: one has at least a contract, an id and models`)
  }
  if (contract !== 1) {
    throw new ConfigError(
      `${where}: the provider "${id}" is written to contract ${JSON.stringify(contract)}, and this Fairlead to contract 1: ` +
        'install a version of either that fits the other',
    )
  }
  return made as Provider
}
