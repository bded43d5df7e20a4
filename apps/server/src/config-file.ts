import { readFile, stat } from 'node:fs/promises'
import { basename, extname, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { FairleadConfig } from './define-config.ts'
import type { Feature, Observer, RoutingOptions } from '@fairlead/core'
import { budgetOptions, findIssues, rateLimitOptions, routingOptions } from '@fairlead/core/server'
import { userDefaults } from '@fairlead/accounts/server'
import { webhookLimits } from '@fairlead/webhooks'
import { isObject, type Provider } from '@fairlead/core/provider'
import * as z from 'zod'
import { type Config, ConfigError } from './config.ts'
import { callLimit } from './connection-limit.ts'
import { combineAliases } from './demo.ts'
import { importModule } from './explain-import.ts'

/** A loaded configuration file. */
export interface ConfigFile {
  readonly path: string
  /** Its name in messages. */
  readonly name: string
  readonly config: FairleadConfig
}

const endings = ['.ts', '.js', '.mjs', '.json'] as const
const defaultNames = endings.map((ending) => `fairlead.config${ending}`)

/**
 * Loads the named file, or else the file with a default name in the directory; undefined if there is none. Throws
 * `ConfigError` if a named file is missing or a file is invalid.
 */
export async function loadConfigFile(named: string | undefined, directory: string): Promise<ConfigFile | undefined> {
  const file = await openConfigFile(named, directory)
  const issues = file ? issuesOfFile(file) : []
  if (issues.length > 0) throw new ConfigError(issues.join('\n'))
  return file
}

/** As `loadConfigFile`, but with fields that may be invalid: see `issuesOfFile`. */
export async function openConfigFile(named: string | undefined, directory: string): Promise<ConfigFile | undefined> {
  const path = named === undefined ? await findDefault(directory) : resolve(directory, named)
  if (path === undefined) return undefined
  if (!(await isFile(path))) throw new ConfigError(`FAIRLEAD_CONFIG names ${path}, which does not exist`)
  const name = basename(path)
  const config = await read(path, name)
  if (!isObject(config)) throw new ConfigError(`${name} must export an object with settings`)
  return { path, name, config }
}

/** Puts the name of the file before each line of an error about its routes and limits, which core checks. */
export async function withFileName<Result>(
  file: ConfigFile | undefined,
  work: () => Result | Promise<Result>,
): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof TypeError) || !file) throw error
    const lines = error.message.split('\n').map((line) => `${file.name}: ${withoutGroups(line)}`)
    throw new ConfigError(lines.join('\n'), { cause: error })
  }
}

/** The file has no groups of options. */
function withoutGroups(line: string): string {
  return line.replaceAll(/(^|")(?:routing\.|limits\.(?=budgets))/g, '$1').replaceAll(/(^|")limits\./g, '$1rateLimits.')
}

/** The options of routing in the file, with the aliases of the demo. */
export function routingOptionsIn(
  file: ConfigFile | undefined,
  config: Pick<Config, 'demo'>,
  providers: readonly Provider[],
): RoutingOptions {
  const { routes, aliases, timeouts, retries, circuit, concurrency } = file?.config ?? {}
  return {
    routes,
    aliases: combineAliases(config, aliases, providers),
    timeouts,
    retries,
    circuit,
    concurrency: { ...concurrency, perTarget: concurrency?.perTarget ?? callLimit() },
  }
}

async function findDefault(directory: string): Promise<string | undefined> {
  const paths = defaultNames.map((name) => resolve(directory, name))
  const found = await Promise.all(paths.map(isFile))
  const [path, other] = paths.filter((_, index) => found[index])
  if (path !== undefined && other !== undefined) {
    throw new ConfigError(
      `There are both ${basename(path)} and ${basename(other)}: remove one, or name one in FAIRLEAD_CONFIG`,
    )
  }
  return path
}

async function isFile(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isFile(),
    () => false,
  )
}

async function read(path: string, name: string): Promise<unknown> {
  const ending = extname(path)
  if (!(endings as readonly string[]).includes(ending)) {
    throw new ConfigError(`FAIRLEAD_CONFIG names ${path}, whose name must end in one of ${endings.join(', ')}`)
  }
  return ending === '.json' ? readJson(path, name) : importDefault(path, name)
}

async function readJson(path: string, name: string): Promise<unknown> {
  // Some editors write a byte order mark.
  const text = (await readFile(path, 'utf8')).replace(/^\uFEFF/, '')
  try {
    return JSON.parse(text)
  } catch {
    const { describeJsonError } = await import('@fairlead/http')
    throw new ConfigError([`${name} is not valid JSON`, describeJsonError(text) ?? []].flat().join(': '))
  }
}

/** By path, the first version of each module: Node keeps every module, and imports a file again only at another URL. */
const firstVersions = new Map<string, string>()

async function importDefault(path: string, name: string): Promise<unknown> {
  const url = pathToFileURL(path)
  const { mtimeMs, size } = await stat(path)
  const version = `${mtimeMs}-${size}`
  const first = firstVersions.get(path) ?? version
  firstVersions.set(path, first)
  if (version !== first) url.search = version
  const loaded = await importModule(url, name)
  if (!('default' in loaded)) {
    throw new ConfigError(`${name} must export its settings as the default: export default defineConfig({ … })`)
  }
  return loaded['default']
}

/** Entries are validated when they are loaded. */
const entry = z.unknown().refine((value) => typeof value === 'string' || isObject(value), {
  error: 'must be the name of a provider, { use: … } with its options, or a provider',
})

/** Core validates the models of routes, because it knows the providers. */
const configSchema = routingOptions.extend({
  providers: z
    .array(entry)
    .min(1, { error: 'must hold at least one; omit the field to use the providers that the environment enables' })
    .optional(),
  analysisModel: z.string().optional(),
  features: z.array(z.custom<Feature>(isFeature, { error: 'must be a feature created by defineFeature' })).optional(),
  observer: z
    .custom<Observer | readonly Observer[]>(isObserver, { error: 'must be an object with methods' })
    .optional(),
  rateLimits: rateLimitOptions.optional(),
  budgets: budgetOptions.optional(),
  webhooks: webhookLimits.optional(),
  defaults: userDefaults.optional(),
  cache: z.strictObject({ maxBytes: z.int().min(1_048_576).max(1_099_511_627_776).optional() }).optional(),
}) satisfies z.ZodType<{ [Field in keyof FairleadConfig]?: unknown }>

/** A line for every invalid field of the file, outside of the options of providers. */
export function issuesOfFile({ name, config }: ConfigFile): readonly string[] {
  return invalidFields(configSchema, config, name)
}

/** Whether the file has a list of providers, whose options may be invalid. */
export function hasProviders({ config }: ConfigFile): boolean {
  return configSchema.shape.providers.safeParse(config.providers).success
}

/**
 * Returns a line per invalid field: `<place>: <field> <issue>`. Values are never repeated, because one may be a secret.
 *
 * @param root the field that holds the value
 */
export function invalidFields(schema: z.ZodObject, value: unknown, source: string, root?: string): readonly string[] {
  return findIssues(schema, value).map(({ field, issue, suggestion }) => {
    const meant = suggestion === undefined ? '' : `; did you mean ${under(root, suggestion)}?`
    return `${source}: ${under(root, field)} ${issue}${meant}`
  })
}

function under(root: string | undefined, field: string | null): string {
  return [root, field].filter((part) => typeof part === 'string').join('.')
}

function isObserver(value: unknown): boolean {
  return [value].flat().every((each) => typeof each === 'object' && each !== null)
}

function isFeature(value: unknown): boolean {
  return isObject(value) && typeof value['name'] === 'string' && isObject(value['operations'])
}
