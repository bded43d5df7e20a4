import type { ProviderEntry } from '../define-config.ts'
import { nearest } from '@fairlead/core/feature'
import { isObject, type Provider } from '@fairlead/core/provider'
import { ConfigError } from '../config.ts'
import { invalidFields } from '../config-file.ts'
import { readSecret } from '../secret-files.ts'
import type { BuiltInProvider, Environment, Options } from './http-provider.ts'
import { builtInProviders } from './built-in-providers.ts'

export interface ConfiguredEntry {
  readonly entry: ProviderEntry
  /** The file or variable that holds it. */
  readonly source: string
  /** Its field, such as `providers[1]`. */
  readonly field: string
  /** The file that names it; undefined if the environment does. */
  readonly from: string | undefined
}

/** Creates a configured provider, or throws `ConfigError` with the invalid fields and how to fix them. */
export async function loadProvider(configured: ConfiguredEntry, environment: Environment): Promise<Provider> {
  const { entry } = configured
  const where = `${configured.source}: ${configured.field}`
  if (typeof entry !== 'string' && !('use' in entry)) return checkInstance(entry, where)
  const { use, ...given } = typeof entry === 'string' ? { use: entry } : entry
  if (typeof use !== 'string') throw new ConfigError(`${where}.use must be the name of a provider or of its package`)
  const { options, secrets, issues } = readOptions(given, environment, where)
  if (issues.length > 0) throw new ConfigError(issues.join('\n'))
  const make = await findMaker(use, configured, environment)
  try {
    return checkProvider(await make(options), where)
  } catch (error) {
    throw withCleanMessage(error, where, secrets)
  }
}

/** Returns a sentence for each variable that is not set and each invalid option of a built-in provider. Loads nothing. */
export function issuesOfEntry({ entry, source, field }: ConfiguredEntry, environment: Environment): readonly string[] {
  if (typeof entry !== 'string' && !('use' in entry)) return []
  const { use, ...given } = typeof entry === 'string' ? { use: entry } : entry
  const { options, issues } = readOptions(given, environment, `${source}: ${field}`)
  const builtIn = typeof use === 'string' && Object.hasOwn(builtInProviders, use) ? builtInProviders[use] : undefined
  if (issues.length > 0 || !builtIn) return issues
  return invalidFields(builtIn.options, { ...builtIn.fromEnvironment(environment), ...options }, source, field)
}

/** The source that a provider is created from. */
export type ProviderSource = { readonly options: Options } | { readonly instance: object }

/** All of its options with the values of variables, or the provider that the file holds. */
export function readSource({ entry }: ConfiguredEntry, environment: Environment): ProviderSource {
  if (typeof entry !== 'string' && !('use' in entry)) return { instance: entry }
  const { use, ...given } = typeof entry === 'string' ? { use: entry } : entry
  const builtIn = Object.hasOwn(builtInProviders, String(use)) ? builtInProviders[String(use)] : undefined
  const { options } = readOptions(given, environment, '')
  return { options: { ...builtIn?.fromEnvironment(environment), ...options, use } }
}

/** An object without a contract is probably options without `use`. */
function checkInstance(entry: object, where: string): Provider {
  if ('contract' in entry) return checkProvider(entry, where)
  throw new ConfigError(
    `${where}.use is missing: it names the provider, such as { "use": "openai" }; a provider object has a contract`,
  )
}

type Maker = (options: Options) => unknown

async function findMaker(use: string, configured: ConfiguredEntry, environment: Environment): Promise<Maker> {
  const { from } = configured
  const where = `${configured.source}: ${configured.field}`
  const builtIn = Object.hasOwn(builtInProviders, use) ? builtInProviders[use] : undefined
  if (builtIn) return (options) => builtIn.make(checkOptions(builtIn, options, environment, configured))
  if (from !== undefined) {
    // The resolver of packages is loaded only for plugins.
    const { loadPlugin } = await import('./load-plugin.ts')
    const plugin = await loadPlugin({ specifier: use, from, where })
    if (plugin) return plugin
  }
  throw new ConfigError(`${where} names "${use}", which is ${whyMissing(use)}`)
}

function whyMissing(use: string): string {
  if (/^\.{0,2}\//.test(use)) return 'not a file: write its path relative to the configuration file, with the extension'
  const names = Object.keys(builtInProviders)
  const meant = nearest(use, names)
  const hint = meant === undefined ? '' : ` (did you mean "${meant}"?)`
  return (
    `neither built in nor installed${hint}. Built-in providers: ${names.join(', ')}. ` +
    `To install a plugin, run npm install ${use} in the folder of the configuration file`
  )
}

function checkOptions(
  builtIn: BuiltInProvider,
  given: Options,
  environment: Environment,
  { source, field }: ConfiguredEntry,
): Options {
  const options = { ...builtIn.fromEnvironment(environment), ...given }
  const issues = invalidFields(builtIn.options, options, source, field)
  if (issues.length > 0) throw new ConfigError(issues.join('\n'))
  return options
}

/** HTTP providers start messages about an option with their id. */
const beforeOption = /^[a-z0-9.-]+: (?=(?:apiKey|baseUrl|headers|timeouts|allow)\b)/

/** The message of a factory may repeat its options. */
function withCleanMessage(error: unknown, where: string, secrets: readonly string[]): ConfigError {
  if (error instanceof ConfigError) return error
  const reason = withoutSecrets(error instanceof Error ? error.message : String(error), secrets)
  const isOfOption = beforeOption.test(reason)
  return new ConfigError(isOfOption ? `${where}.${reason.replace(beforeOption, '')}` : `${where}: ${reason}`)
}

/** Returns the value if it is a provider of the contract that this version supports. */
function checkProvider(value: unknown, where: string): Provider {
  const { contract, id, models } = (typeof value === 'object' && value !== null ? value : {}) as Partial<Provider>
  if (contract === undefined || typeof id !== 'string' || models === undefined) {
    throw new ConfigError(`${where} is not a provider, which has at least a contract, an id and models`)
  }
  if (contract !== 2) {
    throw new ConfigError(
      `${where}: the provider "${id}" implements contract ${JSON.stringify(contract)}, and this version of Fairlead supports contract 2: ` +
        'install matching versions',
    )
  }
  return value as Provider
}

const secretName = /key|token|secret|password|credential|authorization|headers/i

/**
 * Replaces each `{ env: 'NAME' }` with the value of the variable. Also returns the values that must never be shown, and a
 * sentence for each variable that is named but not set.
 */
function readOptions(options: Options, environment: Environment, where: string) {
  const secrets = new Set<string>()
  const issues: string[] = []

  function read(value: unknown, path: string, isSecret: boolean): unknown {
    if (typeof value === 'string' && isSecret) secrets.add(value)
    if (Array.isArray(value)) return value.map((item, index) => read(item, `${path}[${index}]`, isSecret))
    if (!isPlain(value)) return value
    if (isVariable(value)) return readValue(value.env, path)
    const entries = Object.entries(value)
    return Object.fromEntries(
      entries.map(([name, item]) => [name, read(item, `${path}.${name}`, isSecret || secretName.test(name))]),
    )
  }

  function readValue(name: string, path: string): string | undefined {
    const value = readSecret(environment, name)
    if (value) secrets.add(value)
    else issues.push(`${path} names the variable ${name}, which is not set`)
    return value || undefined
  }

  return { options: read(options, where, false) as Options, secrets: [...secrets], issues }
}

function isVariable(value: Options): value is { readonly env: string } {
  return typeof value['env'] === 'string' && Object.keys(value).length === 1
}

/** Instances of classes, such as clients, are passed on unchanged. */
function isPlain(value: unknown): value is Options {
  return isObject(value) && [Object.prototype, null].includes(Object.getPrototypeOf(value))
}

/** Shorter ones would hide ordinary words. */
const minSecretLength = 4

/** Replaces secrets in a message with `[hidden]`. */
function withoutSecrets(message: string, secrets: readonly string[]): string {
  const long = secrets.filter((secret) => secret.length >= minSecretLength)
  return long.reduce((text, secret) => text.replaceAll(secret, '[hidden]'), message)
}
