import { get } from 'node:http'
import { isDeepStrictEqual } from 'node:util'
import { type Clock, systemClock } from '@fairlead/core'
import type { ProviderEntry } from '../define-config.ts'
import { nearest } from '@fairlead/core/feature'
import type { Provider } from '@fairlead/core/provider'
import { ConfigError } from '../config.ts'
import { withSecretFiles } from '../secret-files.ts'
import type { ConfigFile } from '../config-file.ts'
import type { Environment, Probe } from './http-provider.ts'
import { builtInProviders } from './built-in-providers.ts'
import { type ConfiguredEntry, issuesOfEntry, loadProvider, type ProviderSource, readSource } from './load-provider.ts'

/** A provider to load. */
export interface ChosenProvider {
  readonly name: string
  /** The reason why it is enabled, for the operator. */
  readonly reason: string
  /** Returns what would keep it from loading, as far as that is known without loading it. */
  check(): readonly string[]
  load(): Promise<Provider>
  /** The source that it is created from: its options, or the provider itself. */
  readonly source: ProviderSource
}

/** Whether both would load the same provider. */
export function isSameProvider({ source: one }: ChosenProvider, { source: other }: ChosenProvider): boolean {
  if ('instance' in one) return 'instance' in other && one.instance === other.instance
  return 'options' in other && isDeepStrictEqual(one.options, other.options)
}

export interface ProviderChoice {
  /** The value of `FAIRLEAD_PROVIDERS`. */
  readonly names: 'auto' | readonly string[]
  readonly file: ConfigFile | undefined
  readonly environment: Environment
  /** Default: sends a GET request. */
  readonly probe?: Probe
}

/**
 * Returns the providers of the file, or, if it names none, those that the environment enables. A list of names selects from
 * the file, and else from the built-in providers.
 */
export async function chooseProviders({
  names,
  file,
  environment: given,
  probe = probeAddress,
}: ProviderChoice): Promise<readonly ChosenProvider[]> {
  const environment = withSecretFiles(given)
  const configured = file?.config.providers?.map((entry, index) => fromFile(file, entry, index, environment))
  if (names === 'auto') return configured ?? enabledBy(environment, probe)
  return [...new Set(names)].map((name) => {
    const found = configured?.find((each) => each.name === name)
    if (found) return found
    if (Object.hasOwn(builtInProviders, name)) return fromVariable(name, 'FAIRLEAD_PROVIDERS', environment)
    throw unknownName(name, [...(configured ?? []).map((each) => each.name), ...Object.keys(builtInProviders)])
  })
}

function fromFile(file: ConfigFile, entry: ProviderEntry, index: number, environment: Environment): ChosenProvider {
  const configured = { entry, source: file.name, field: `providers[${index}]`, from: file.path }
  return choice(entryName(entry), file.name, configured, environment)
}

/** The id of the provider, as far as it is known before the provider is created. */
function entryName(entry: ProviderEntry): string {
  if (typeof entry === 'string') return entry
  const { id, use } = entry as { readonly id?: unknown; readonly use?: unknown }
  return String(id ?? use)
}

async function enabledBy(environment: Environment, probe: Probe): Promise<readonly ChosenProvider[]> {
  const found = await Promise.all(
    Object.entries(builtInProviders).map(async ([name, builtIn]) => {
      const reason = await builtIn.enabledBy(environment, probe)
      return reason === undefined ? undefined : fromVariable(name, reason, environment)
    }),
  )
  return found.filter((each) => each !== undefined)
}

function fromVariable(name: string, reason: string, environment: Environment): ChosenProvider {
  return choice(name, reason, { entry: name, source: reason, field: name, from: undefined }, environment)
}

function choice(name: string, reason: string, configured: ConfiguredEntry, environment: Environment): ChosenProvider {
  return {
    name,
    reason,
    check: () => issuesOfEntry(configured, environment),
    load: () => loadProvider(configured, environment),
    get source() {
      return readSource(configured, environment)
    },
  }
}

export interface LoadOptions {
  /** Called every ten seconds with the providers that are still loading. */
  readonly onWait?: (names: readonly string[]) => void
  /** Default: the system's. */
  readonly clock?: Clock
}

const waitMs = 10_000

/** Loads all providers, or throws one `ConfigError` for all that failed and closes the others. */
export async function loadProviders(
  chosen: readonly ChosenProvider[],
  { onWait = () => {}, clock = systemClock }: LoadOptions = {},
): Promise<readonly Provider[]> {
  const missing = new Set(chosen)
  let cancel = () => {}
  const wait = () => {
    cancel = clock.schedule(waitMs, () => {
      onWait([...missing].map(({ name }) => name))
      wait()
    })
  }
  wait()
  const outcomes = await Promise.allSettled(chosen.map((each) => each.load().finally(() => missing.delete(each))))
  cancel()
  const failures = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason as unknown] : []))
  const loaded = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []))
  if (failures.length === 0) return loaded
  await Promise.allSettled(loaded.map(async (provider) => provider.close?.()))
  const bug = failures.find((failure) => !(failure instanceof ConfigError))
  if (bug !== undefined) throw bug
  throw new ConfigError(failures.map((failure) => (failure as ConfigError).message).join('\n'))
}

function unknownName(name: string, known: readonly string[]): ConfigError {
  const meant = nearest(name, known)
  const hint = meant === undefined ? '' : ` (did you mean "${meant}"?)`
  return new ConfigError(
    `FAIRLEAD_PROVIDERS names the unknown provider "${name}"${hint}; write "auto" or a list of: ${known.join(', ')}`,
  )
}

const probeTimeoutMs = 300

/** Whether a GET request returns 200 within 300 ms. */
export function probeAddress(url: string): Promise<boolean> {
  return new Promise((resolve) => {
    const request = get(url, { signal: AbortSignal.timeout(probeTimeoutMs), agent: false }, (response) => {
      response.resume()
      resolve(response.statusCode === 200)
    })
    request.on('error', () => resolve(false))
  })
}

/** The ids of the providers that speak Anthropic's API: the usual one, and those that the configuration gives. */
export function anthropicIds(entries: readonly ProviderEntry[] = []): readonly string[] {
  const given = entries.flatMap((entry) =>
    typeof entry === 'object' && 'use' in entry && entry.use === 'anthropic' && typeof entry['id'] === 'string'
      ? [entry['id']]
      : [],
  )
  return [...new Set(['anthropic', ...given])]
}
