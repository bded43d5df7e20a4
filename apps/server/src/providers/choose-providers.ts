import { get } from 'node:http'
import { type Clock, nearest, type ProviderEntry, systemClock } from '@fairlead/core'
import type { Provider } from '@fairlead/core/provider'
import { ConfigError } from '../config.ts'
import type { ConfigFile } from '../config-file.ts'
import type { Environment, Probe } from './http-provider.ts'
import { builtInProviders } from './built-in-providers.ts'
import { type ConfiguredEntry, loadProvider } from './load-provider.ts'

/** A provider that is to be used. */
export interface ChosenProvider {
  readonly name: string
  /** What switched it on, for the operator to read. */
  readonly reason: string
  load(): Promise<Provider>
}

export interface ProviderChoice {
  /** What `FAIRLEAD_PROVIDERS` says. */
  readonly names: 'auto' | readonly string[]
  readonly file: ConfigFile | undefined
  readonly environment: Environment
  /** Default: asks. */
  readonly probe?: Probe
}

/**
 * Those of the file; where it names none, those that the environment switches on. A list of names takes these alone, of the
 * file's or else of the built-in ones.
 */
export async function chooseProviders({
  names,
  file,
  environment,
  probe = probeAddress,
}: ProviderChoice): Promise<readonly ChosenProvider[]> {
  const configured = file?.config.providers?.map((entry, index) => fromFile(file, entry, index, environment))
  if (names === 'auto') return configured ?? switchedOn(environment, probe)
  return [...new Set(names)].map((name) => {
    const found = configured?.find((each) => each.name === name)
    if (found) return found
    if (Object.hasOwn(builtInProviders, name)) return fromVariable(name, 'FAIRLEAD_PROVIDERS', environment)
    throw unknownName(name, [...(configured ?? []).map((each) => each.name), ...Object.keys(builtInProviders)])
  })
}

function fromFile(file: ConfigFile, entry: ProviderEntry, index: number, environment: Environment): ChosenProvider {
  const place = file.name
  return {
    name: nameOf(entry),
    reason: place,
    load: () => loadProvider({ entry, place, field: `providers[${index}]`, from: file.path }, environment),
  }
}

/** The id that the provider will have, as far as it can be told without making it. */
function nameOf(entry: ProviderEntry): string {
  if (typeof entry === 'string') return entry
  const { id, use } = entry as { readonly id?: unknown; readonly use?: unknown }
  return String(id ?? use)
}

async function switchedOn(environment: Environment, probe: Probe): Promise<readonly ChosenProvider[]> {
  const found = await Promise.all(
    Object.entries(builtInProviders).map(async ([name, builtIn]) => {
      const reason = await builtIn.switchedOn(environment, probe)
      return reason === undefined ? undefined : fromVariable(name, reason, environment)
    }),
  )
  return found.filter((each) => each !== undefined)
}

function fromVariable(name: string, reason: string, environment: Environment): ChosenProvider {
  const entry: ConfiguredEntry = { entry: name, place: reason, field: name, from: undefined }
  return { name, reason, load: () => loadProvider(entry, environment) }
}

export interface LoadOptions {
  /** Hears, every ten seconds, which of them the start still waits for. Default: nobody does. */
  readonly onWait?: (names: readonly string[]) => void
  /** Default: the system's. */
  readonly clock?: Clock
}

const waitMs = 10_000

/** Loads all of them, or throws one `ConfigError` with the faults of all, and leaves none open. */
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
  const made = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []))
  if (failures.length === 0) return made
  await Promise.allSettled(made.map(async (provider) => provider.close?.()))
  const defect = failures.find((failure) => !(failure instanceof ConfigError))
  if (defect !== undefined) throw defect
  throw new ConfigError(failures.map((failure) => (failure as ConfigError).message).join('\n'))
}

function unknownName(name: string, known: readonly string[]): ConfigError {
  const meant = nearest(name, known)
  const guess = meant === undefined ? '' : ` (did you mean "${meant}"?)`
  return new ConfigError(
    `FAIRLEAD_PROVIDERS names the unknown provider "${name}"${guess}; write "auto" or a list of: ${known.join(', ')}`,
  )
}

const patienceMs = 300

/** Whether something answers a GET with 200 within a moment. */
export function probeAddress(url: string): Promise<boolean> {
  return new Promise((resolve) => {
    const request = get(url, { signal: AbortSignal.timeout(patienceMs), agent: false }, (response) => {
      response.resume()
      resolve(response.statusCode === 200)
    })
    request.on('error', () => resolve(false))
  })
}
