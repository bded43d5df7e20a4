import { clip, maxNameLength, nearest } from '../runtime/names.ts'
import type { Issue } from '../runtime/errors.ts'
import {
  type Dialect,
  isObject,
  type JsonObject,
  type Message,
  type Native,
  type ProviderOptions,
  type Tool,
} from './message.ts'
import { ProviderError } from './provider-error.ts'

/**
 * The fields of a provider's API that cost more, or that belong to the operator's account: dearer tiers, hosted tools,
 * stored objects, settings of the server. A provider forwards them only if the operator allows it.
 */
export interface OptionRules {
  /**
   * The fields, with the values that pass because they are the API's defaults. A dot separates the fields of an object:
   * `generationConfig.speechConfig`. Case and underscores make no difference.
   */
  readonly fields: Readonly<Record<string, readonly unknown[]>>
  /** Fields of parts and of functions that are never forwarded, such as the `type` of another kind of tool. */
  readonly ofParts?: Readonly<Record<string, readonly unknown[]>>
  /** Tools beside the functions of a request. Default: the API has none. */
  readonly tools?: {
    /** Under which names the API knows a tool. */
    readonly typesOf: (tool: JsonObject) => readonly unknown[]
    /** Those that the caller runs, or that cost nothing. All others count as hosted, unknown ones too. */
    readonly free: readonly string[]
    /** Hosted tools that an operator can allow by name. A version may follow the name. */
    readonly hosted: readonly string[]
  }
  /**
   * Fields of a block that name what is stored in the operator's account, such as `file_id`, of the block itself or of its
   * `source` or `output`. A block of the client's own dialect with one is refused, and an opaque part. Default: none.
   */
  readonly stored?: readonly string[]
  /** The other fields of the API that core does not interpret, for `unknownFields`. Default: none. */
  readonly known?: readonly string[]
  /** Whether the options are grouped, so that the fields are those of each group. Default: false. */
  readonly grouped?: boolean
}

export interface OptionGuardSettings {
  /** The key of the provider's own options. */
  readonly id: string
  readonly rules: OptionRules
  /** Fields and hosted tools that are forwarded nevertheless; `tools` allows all hosted tools. Default: none. */
  readonly allow?: readonly string[] | undefined
  /** The dialects whose native requests have the same rules. Default: none. */
  readonly dialects?: readonly Dialect[] | undefined
  /** Whether to forward a native field that the rules do not name, or to reject the request. Default: `forward`. */
  readonly unknownFields?: UnknownFields | undefined
}

export type UnknownFields = 'forward' | 'refuse'

interface WithOptions {
  readonly providerOptions?: ProviderOptions | undefined
}

interface Guarded extends WithOptions {
  readonly native?: Native | undefined
  readonly messages?: readonly Message[]
  readonly tools?: readonly Tool[] | undefined
}

/** Removes the options of a request that the operator does not allow, and names them in warnings. */
export type OptionGuard = <Request extends Guarded>(
  request: Request,
) => { readonly request: Request; readonly warnings: readonly Issue[] }

/** Allows all hosted tools. */
const anyTool = 'tools'
const notAllowed = 'was left out: the operator of the service has not allowed it'
const none: readonly Issue[] = []

/**
 * Returns the guard of a provider.
 *
 * @throws TypeError for an entry of `allow` that is neither a field nor a hosted tool of the rules
 */
export function optionGuard(settings: OptionGuardSettings): OptionGuard {
  const { id, rules, allow = [], dialects = [], unknownFields = 'forward' } = settings
  checkAllow(allow, rules, id)
  if (unknownFields !== 'forward' && unknownFields !== 'refuse') {
    throw new TypeError(`${id}: unknownFields must be "forward" or "refuse"`)
  }
  const allowed = new Set(allow.map(normal))
  const fields = guardedFields(rules.fields, allowed)
  const ofParts = new Map([...fields, ...guardedFields(rules.ofParts ?? {}, new Set())])
  const stored = new Set((rules.stored ?? []).map(normal).filter((name) => !allowed.has(name)))
  const known = new Set([...nativeNames, ...(rules.known ?? []), ...Object.keys(rules.fields).map(firstOf)])

  function ownOptions({ providerOptions }: WithOptions, leftOut: Set<string>): ProviderOptions | undefined {
    const own = providerOptions?.[id]
    if (!own) return providerOptions
    const { grouped = false } = rules
    const kept = grouped ? withoutInGroups(own, fields, leftOut) : without(own, ofParts, leftOut)
    return kept === own ? providerOptions : { ...providerOptions, [id]: kept }
  }

  function guardPart<Part extends WithOptions & { readonly content?: unknown; readonly data?: unknown }>(
    part: Part,
    leftOut: Set<string>,
  ): Part {
    const providerOptions = ownOptions(part, leftOut)
    const content = Array.isArray(part.content) ? guardAll(part.content as Part[], leftOut) : part.content
    // The fields of grouped options are in none of the blocks.
    const data = isOpaque(part) && isObject(part.data) && !rules.grouped ? guardBlock(part.data, leftOut) : part.data
    return providerOptions === part.providerOptions && content === part.content && data === part.data
      ? part
      : { ...part, providerOptions, ...(content !== undefined && { content }), ...(data !== undefined && { data }) }
  }

  function guardAll<Part extends WithOptions>(parts: readonly Part[], leftOut: Set<string>): readonly Part[] {
    const guarded = parts.map((part) => guardPart(part, leftOut))
    return guarded.some((part, index) => part !== parts[index]) ? guarded : parts
  }

  function guardRequest(own: JsonObject, functions: number, leftOut: Set<string>): JsonObject {
    if (rules.grouped) return withoutInGroups(own, fields, leftOut)
    const kept = without(own, fields, leftOut)
    if (!rules.tools || allowed.has(anyTool)) return kept
    // Some servers read `Tools` as `tools`.
    const others = Object.keys(kept).filter((name) => name !== anyTool && normal(name) === anyTool)
    for (const name of others) leftOut.add(clip(name, maxNameLength))
    const spelled =
      others.length === 0 ? kept : Object.fromEntries(Object.entries(kept).filter(([name]) => !others.includes(name)))
    return withoutHosted(spelled, functions, leftOut)
  }

  function withoutHosted(own: JsonObject, functions: number, leftOut: Set<string>): JsonObject {
    const { tools, tool_choice: choice } = own
    if (tools === undefined || tools === null) return own
    const list: readonly unknown[] = Array.isArray(tools) ? tools : [tools]
    const hosted = list.filter(isHostedTool)
    const [first] = hosted
    if (first === undefined) return own
    const rest = list.filter((tool) => !isHostedTool(tool))
    const names = hosted.flatMap((tool) => typesOf(tool).filter(isHosted))
    if (functions + rest.length === 0 || isForced(choice, hosted, names)) throw refused(id, names[0] ?? '')
    for (const name of names) leftOut.add(`tools.${clip(name, maxNameLength)}`)
    const { tools: _tools, ...others } = own
    return rest.length > 0 ? { ...others, tools: rest } : others
  }

  /** The fields of a request in the client's own dialect, and its tools. */
  function guardNative(native: JsonObject, leftOut: Set<string>): JsonObject {
    if (unknownFields === 'refuse') {
      const unknown = Object.keys(native).find((name) => !known.has(name))
      if (unknown !== undefined) throw refusedField(id, unknown)
    }
    const kept = guardRequest(native, 0, leftOut)
    const { tools, system } = kept
    if (Array.isArray(system)) guardBlock({ content: system }, leftOut)
    if (!Array.isArray(tools)) return kept
    const guarded = tools.map((tool: unknown) => (isObject(tool) ? without(tool, fields, leftOut) : tool))
    return guarded.some((tool, index) => tool !== tools[index]) ? { ...kept, tools: guarded } : kept
  }

  /** A message or a block as the client wrote it. */
  function guardBlock(block: JsonObject, leftOut: Set<string>): JsonObject {
    if (stored.size > 0) {
      for (const name in block) if (block[name] != null && stored.has(normal(name))) throw refusedStored(id, name)
    }
    let kept = without(block, fields, leftOut)
    for (const name of ofBlocks) {
      const inner = guardInner(kept[name], name, leftOut)
      if (inner !== kept[name]) kept = { ...kept, [name]: inner }
    }
    const { tools } = kept
    if (!Array.isArray(tools) || !rules.tools || allowed.has(anyTool) || !tools.some(isTypedAndHosted)) return kept
    leftOut.add('tools')
    return { ...kept, tools: tools.filter((tool) => !isTypedAndHosted(tool)) }
  }

  function guardInner(value: unknown, name: string, leftOut: Set<string>): unknown {
    // The content of a hosted tool's result is an object, with what the tool wrote.
    if (isObject(value) && name !== 'content') return guardBlock(value, leftOut)
    if (!Array.isArray(value)) return value
    const guarded = value.map((each: unknown) => (isObject(each) ? guardBlock(each, leftOut) : each))
    return guarded.some((each, index) => each !== value[index]) ? guarded : value
  }

  /** Lists of the tools of a server have no types. */
  function isTypedAndHosted(tool: unknown): boolean {
    return isObject(tool) && tool['type'] != null && isHostedTool(tool)
  }

  function guardMessage(message: Message, leftOut: Set<string>): Message {
    const { native } = message
    const dialect = native && dialects.find((each) => native[each])
    const own = dialect && native[dialect]
    if (!own) return message
    const guarded = own.map((each) => guardBlock(each, leftOut))
    return guarded.some((each, index) => each !== own[index])
      ? { ...message, native: { ...native, [dialect]: guarded } }
      : message
  }

  function typesOf(tool: unknown): readonly string[] {
    const types = isObject(tool) ? (rules.tools?.typesOf(tool) ?? []) : [tool]
    return types.map(String)
  }

  function isHostedTool(tool: unknown): boolean {
    return typesOf(tool).some(isHosted)
  }

  function isHosted(type: string): boolean {
    const { free = [] } = rules.tools ?? {}
    return !free.some((name) => isVersionOf(type, name)) && !allow.some((name) => isVersionOf(type, name))
  }

  return (request) => {
    const { providerOptions, native, messages: given, tools } = request
    const dialect = native && dialects.find((each) => native[each])
    if (!dialect && !hasOptions(request, id)) return { request, warnings: none }
    const leftOut = new Set<string>()
    const own = providerOptions?.[id]
    // A message in the client's own form is sent as it is, and its parts are not.
    const messages = dialect ? given?.map((message) => guardMessage(message, leftOut)) : given
    const guarded = {
      ...request,
      ...(dialect && { native: { ...native, [dialect]: guardNative(native[dialect]!, leftOut) } }),
      ...(own && { providerOptions: { ...providerOptions, [id]: guardRequest(own, tools?.length ?? 0, leftOut) } }),
      ...(messages && { messages: guardAll(messages as readonly WithOptions[], leftOut) }),
      ...(tools && { tools: guardAll(tools, leftOut) }),
    }
    const names = [...leftOut].slice(0, maxWarnings)
    return {
      request: guarded,
      warnings: names.map((name) => ({ field: `providerOptions.${id}.${name}`, issue: notAllowed })),
    }
  }
}

const maxWarnings = 20

/** Only a request with options is copied: this is the one pass over its parts that all other requests pay for. */
function hasOptions({ providerOptions, messages, tools }: Guarded, id: string): boolean {
  if (providerOptions?.[id] !== undefined || anyHas(tools, id)) return true
  if (messages) for (const { content } of messages) if (anyHas(content, id)) return true
  return false
}

function anyHas(parts: readonly (Tool | Message['content'][number])[] | undefined, id: string): boolean {
  if (!parts) return false
  for (const part of parts) {
    if (isOpaque(part)) return true
    if ('providerOptions' in part && part.providerOptions?.[id] !== undefined) return true
    if ('type' in part && part.type === 'tool_result' && anyHas(part.content, id)) return true
  }
  return false
}

/** The block of an answer as its provider sent it, or as a caller made it up. */
function isOpaque(part: object): boolean {
  return 'type' in part && part.type === 'opaque'
}

/** Where a block has others, or an object with a file. */
const ofBlocks = ['content', 'source', 'output']

type Fields = ReadonlyMap<string, readonly unknown[]>

function guardedFields(fields: OptionRules['fields'], allowed: ReadonlySet<string>): Fields {
  const entries = Object.entries(fields).map(([name, passing]) => [normal(name), passing] as const)
  return new Map(entries.filter(([name]) => !allowed.has(name)))
}

/** The options without guarded fields, also of objects below; the same options if there are none. */
function without(options: JsonObject, fields: Fields, leftOut: Set<string>, path = '', shown = ''): JsonObject {
  let kept: Record<string, unknown> | undefined
  for (const name in options) {
    const value = options[name]
    const place = path + normal(name)
    const passing = fields.get(place)
    if (passing && value !== null && !passing.some((each) => isEqual(each, value))) {
      leftOut.add(shown + clip(name, maxNameLength))
      kept ??= { ...options }
      delete kept[name]
    } else if (isObject(value) && hasFieldsBelow(fields, place)) {
      const inner = without(value, fields, leftOut, `${place}.`, `${shown}${name}.`)
      if (inner !== value) kept = { ...(kept ?? options), [name]: inner }
    }
  }
  return kept ?? options
}

function withoutInGroups(groups: JsonObject, fields: Fields, leftOut: Set<string>): JsonObject {
  const guarded = Object.entries(groups).map(([name, value]) =>
    isObject(value) ? ([name, without(value, fields, leftOut, '', `${name}.`)] as const) : ([name, value] as const),
  )
  return guarded.every(([name, value]) => value === groups[name]) ? groups : Object.fromEntries(guarded)
}

function hasFieldsBelow(fields: Fields, place: string): boolean {
  for (const name of fields.keys()) if (name.startsWith(`${place}.`)) return true
  return false
}

/** Whether a choice demands a hosted tool: by its type, by its name, or in a list of allowed tools. */
function isForced(choice: unknown, hosted: readonly unknown[], types: readonly string[]): boolean {
  if (!isObject(choice)) return false
  const { type, name } = choice
  if (type === 'allowed_tools' || types.includes(String(type))) return true
  return name !== undefined && hosted.some((tool) => isObject(tool) && tool['name'] === name)
}

/** What every dialect has beside its own fields. */
const nativeNames = ['tools', 'tool_choice']

function firstOf(path: string): string {
  return path.split('.')[0]!
}

function refusedField(id: string, name: string): ProviderError {
  const field = `providerOptions.${id}.${clip(name, maxNameLength)}`
  const detail = 'the operator of the service does not forward fields that Fairlead does not know'
  return new ProviderError('invalid_request', detail, { field, detail })
}

function refusedStored(id: string, name: string): ProviderError {
  const detail = `the operator of the service has not allowed "${name}", which names what is stored in its account`
  return new ProviderError('invalid_request', `${id}: ${detail}`, { field: 'messages', detail })
}

function refused(id: string, type: string): ProviderError {
  const name = clip(type, maxNameLength)
  const detail = `the operator of the service has not allowed the hosted tool "${name}": use functions of your own`
  return new ProviderError('invalid_request', detail, { field: `providerOptions.${id}.tools`, detail })
}

/** Whether a type is a name, or the name with a version: `web_search_20250305`, `openrouter:web_search`. */
function isVersionOf(type: string, name: string): boolean {
  if (normal(type) === normal(name)) return true
  return type.startsWith(name) && /^[_:-]/.test(type.slice(name.length))
}

/** Throws for a name that is neither a field nor a tool, with the nearest name. */
function checkAllow(allow: unknown, rules: OptionRules, id: string): void {
  if (!Array.isArray(allow)) throw new TypeError(`${id}: allow must be a list of names, such as ["service_tier"]`)
  const { fields, stored = [], tools } = rules
  const known = [...Object.keys(fields), ...stored, ...(tools ? [...tools.hosted, anyTool] : [])]
  for (const [index, name] of (allow as readonly unknown[]).entries()) {
    if (typeof name === 'string' && known.some((each) => normal(each) === normal(name))) continue
    const meant = typeof name === 'string' ? nearest(name, known) : undefined
    const hint = meant === undefined ? '' : ` (did you mean "${meant}"?)`
    const shown = clip(typeof name === 'string' ? name : JSON.stringify(name), maxNameLength)
    throw new TypeError(`${id}: allow[${index}] is the unknown name "${shown}"${hint}; names are: ${known.join(', ')}`)
  }
}

function normal(name: string): string {
  return name.replaceAll('_', '').toLowerCase()
}

function isEqual(one: unknown, other: unknown): boolean {
  if (one === other) return true
  return typeof one === 'object' && typeof other === 'object' && JSON.stringify(one) === JSON.stringify(other)
}
