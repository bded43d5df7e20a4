import { readFile, stat } from 'node:fs/promises'
import { basename, extname, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type FairleadConfig, type Feature, issuesOf, rateLimitOptions, routingOptions } from '@fairlead/core'
import { z } from 'zod'
import { ConfigError } from './config.ts'
import { explainImport } from './explain-import.ts'

/** The configuration that a file holds. */
export interface ConfigFile {
  readonly path: string
  /** What messages call it. */
  readonly name: string
  readonly config: FairleadConfig
}

const endings = ['.ts', '.js', '.mjs', '.json'] as const
const usualNames = endings.map((ending) => `fairlead.config${ending}`)

/**
 * The named file, else the first of the usual names in the directory; undefined where there is none of these. Throws
 * `ConfigError` where a named one is missing, or one is not as it should be.
 */
export async function loadConfigFile(named: string | undefined, directory: string): Promise<ConfigFile | undefined> {
  const path = named === undefined ? await findUsual(directory) : resolve(directory, named)
  if (path === undefined) return undefined
  if (!(await isFile(path))) throw new ConfigError(`FAIRLEAD_CONFIG names ${path}, and there is no such file`)
  const name = basename(path)
  return { path, name, config: checkConfigForm(name, await read(path, name)) }
}

async function findUsual(directory: string): Promise<string | undefined> {
  const paths = usualNames.map((name) => resolve(directory, name))
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
  // Some editors begin a file with a byte order mark.
  const text = (await readFile(path, 'utf8')).replace(/^\uFEFF/, '')
  try {
    return JSON.parse(text)
  } catch {
    const { describeJsonError } = await import('@fairlead/node-http')
    throw new ConfigError([`${name} is not valid JSON`, describeJsonError(text) ?? []].flat().join(': '))
  }
}

async function importDefault(path: string, name: string): Promise<unknown> {
  const loaded = await importModule(path, name)
  if (!('default' in loaded)) {
    throw new ConfigError(`${name} must export its settings as the default: export default defineConfig({ … })`)
  }
  return loaded['default']
}

async function importModule(path: string, name: string): Promise<Readonly<Record<string, unknown>>> {
  try {
    return await import(pathToFileURL(path).href)
  } catch (error) {
    throw new ConfigError(explainImport(name, error), { cause: error })
  }
}

/** Which of them it is, and whether it is in order, is found out when it is loaded. */
const entry = z.unknown().refine((value) => typeof value === 'string' || isRecord(value), {
  error: 'must be the name of a provider, { use: … } with its options, or a provider',
})

/** Whether routes lead to models that are there, core finds out when it knows the providers. */
const form = routingOptions.extend({
  providers: z
    .array(entry)
    .min(1, { error: 'must hold at least one; left out, those are taken that the environment switches on' })
    .optional(),
  analysisModel: z.string().optional(),
  features: z.array(z.custom<Feature>(isFeature, { error: 'must be a feature, made by defineFeature' })).optional(),
  rateLimits: rateLimitOptions.optional(),
  cache: z.strictObject({ maxBytes: z.int().min(1_048_576).max(1_099_511_627_776).optional() }).optional(),
}) satisfies z.ZodType<{ [Field in keyof FairleadConfig]?: unknown }>

/** The configuration, or `ConfigError` with every field at fault. */
function checkConfigForm(name: string, value: unknown): FairleadConfig {
  if (!isRecord(value)) throw new ConfigError(`${name} must hold an object with settings`)
  const faults = faultsOf(form, value, name)
  if (faults.length > 0) throw new ConfigError(faults.join('\n'))
  return value
}

/**
 * A line for each fault: `<place>: <field> <what is wrong>`. Values are never repeated: one may be a secret.
 *
 * @param root the field that the value is of
 */
export function faultsOf(schema: z.ZodObject, value: unknown, place: string, root?: string): readonly string[] {
  return issuesOf(schema, value).map(({ field, issue, suggestion }) => {
    const meant = suggestion === undefined ? '' : `; did you mean ${under(root, suggestion)}?`
    return `${place}: ${under(root, field)} ${issue}${meant}`
  })
}

function under(root: string | undefined, field: string | null): string {
  return [root, field].filter((part) => typeof part === 'string').join('.')
}

function isFeature(value: unknown): boolean {
  return isRecord(value) && typeof value['name'] === 'string' && isRecord(value['operations'])
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
