import { clip, maxNameLength, nearest } from '../../runtime/schema/names.ts'
import type { Issue } from '../../runtime/errors.ts'
import { anyTool, guardedFields, normal, omit, without } from './guarded-fields.ts'
import { type Dialect, type Message, type Native, type ProviderOptions, type Tool } from '../messages/message.ts'
import { isObject, type JsonObject } from '../../runtime/json.ts'
import { ProviderError } from '../provider-error.ts'

/**
 * The fields of a provider's API that cost more, or that belong to the operator's account: dearer tiers, hosted tools,
 * stored objects, settings of the server. A provider forwards them only if the operator allows it.
 */
export interface OptionRules {
  /**
   * The fields, with the values that pass because they are the API's defaults. A dot separates the fields of an object:
   * `generationConfig.speechConfig`. Case, underscores, spaces and invisible characters make no difference.
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
   * `source`, `output`, or `file`. A block of the client's own dialect with one is refused, and an opaque part. Default: none.
   */
  readonly stored?: readonly string[]
  /** The other fields of the API that core does not interpret, for `unknownFields`. Default: none. */
  readonly known?: readonly string[]
  /** Whether the options are grouped, so that `fields` describes each group. Default: false. */
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

interface Guarded {
  readonly providerOptions?: ProviderOptions | undefined
  readonly native?: Native | undefined
  readonly messages?: readonly Message[]
  readonly tools?: readonly Tool[] | undefined
}

/** Removes the options of a request that the operator does not allow, and names them in warnings. */
export type OptionGuard = <Request extends Guarded>(
  request: Request,
) => { readonly request: Request; readonly warnings: readonly Issue[] }

const notAllowed = 'was left out: the operator of the service has not allowed it'
const maxWarnings = 20
/** The fields that every dialect has besides its own. */
const nativeNames = ['tools', 'tool_choice']
/** Where a block has others, or an object with a file. */
const ofBlocks = ['content', 'source', 'output', 'file']
const ofRequests = ['system', 'tools']

/**
 * Returns the guard of a provider. What has no guarded fields is not copied.
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
  const known = new Set<unknown>([
    ...nativeNames,
    ...(rules.known ?? []),
    ...Object.keys(rules.fields).map((path) => path.split('.')[0]),
  ])
  const tools = allowed.has(anyTool) ? undefined : rules.tools

  function guardOptions(own: JsonObject, guarded: typeof fields, leftOut: string[]): JsonObject {
    if (!rules.grouped) return without(own, guarded, leftOut)
    let kept = own
    for (const [name, group] of Object.entries(own)) {
      if (isObject(group)) kept = withField(kept, name, without(group, fields, leftOut, '', `${name}.`))
    }
    return kept
  }

  /** A message, a part, or a function. */
  function guardPart<Part extends object>(part: Part, leftOut: string[]): Part {
    const { providerOptions, content, data, type } = part as JsonObject & Guarded
    const own = providerOptions?.[id]
    let kept = part as JsonObject
    if (own)
      kept = withField(kept, 'providerOptions', withField(providerOptions, id, guardOptions(own, ofParts, leftOut)))
    if (Array.isArray(content)) kept = withField(kept, 'content', mapped(content, guardPart, leftOut))
    // The fields of grouped options are in none of the blocks.
    if (type === 'opaque' && isObject(data) && !rules.grouped) kept = withField(kept, 'data', guardBlock(data, leftOut))
    return kept as Part
  }

  function guardMessage(message: Message, leftOut: string[]): Message {
    const { native } = message
    const dialect = native && dialects.find((each) => native[each])
    const own = dialect && native[dialect]
    const guarded = own && withField(native, dialect, mapped(own, guardBlock, leftOut))
    return guardPart(guarded ? withField(message, 'native', guarded) : message, leftOut)
  }

  function guardRequest(own: JsonObject, functions: number, leftOut: string[]): JsonObject {
    const kept = guardOptions(own, fields, leftOut)
    if (!tools) return kept
    // Some servers read `Tools` as `tools`.
    const others = Object.keys(kept).filter((name) => name !== anyTool && normal(name) === anyTool)
    leftOut.push(...others.map((name) => clip(name, maxNameLength)))
    return withoutHosted(omit(kept, others), functions, leftOut)
  }

  function withoutHosted(own: JsonObject, functions: number, leftOut: string[]): JsonObject {
    const { tools: given, tool_choice: choice } = own
    if (given === undefined || given === null) return own
    const list: readonly unknown[] = Array.isArray(given) ? given : [given]
    const hosted = list.filter(isHostedTool)
    if (hosted.length === 0) return own
    const rest = list.filter((tool) => !isHostedTool(tool))
    const names = hosted.flatMap((tool) => typesOf(tool).filter(isHosted))
    if (functions + rest.length === 0 || isForced(choice, hosted, names)) {
      const detail = `the operator of the service has not allowed the hosted tool "${clip(names[0]!, maxNameLength)}"`
      throw refusal(`providerOptions.${id}.tools`, `${detail}: use functions of your own`)
    }
    leftOut.push(...names.map((name) => `tools.${clip(name, maxNameLength)}`))
    return rest.length > 0 ? { ...own, tools: rest } : omit(own, [anyTool])
  }

  /** The fields of a request in the client's own dialect, and its tools. */
  function guardNative(native: JsonObject, leftOut: string[]): JsonObject {
    const unknown = unknownFields === 'refuse' ? Object.keys(native).find((name) => !known.has(name)) : undefined
    if (unknown !== undefined) {
      const detail = 'the operator of the service does not forward fields that Fairlead does not know'
      throw refusal(`providerOptions.${id}.${clip(unknown, maxNameLength)}`, detail)
    }
    return guardInside(guardRequest(native, 0, leftOut), ofRequests, leftOut)
  }

  /** A message, a block or a tool as the client wrote it. */
  function guardBlock<Block>(block: Block, leftOut: string[]): Block {
    if (!isObject(block)) return block
    for (const name in block) {
      if (block[name] == null || !stored.has(normal(name))) continue
      const detail = `the operator of the service has not allowed "${name}", which names what is stored in its account`
      throw refusal('messages', detail)
    }
    const kept = guardInside(without(block, fields, leftOut), ofBlocks, leftOut)
    const { tools: given } = kept
    if (!tools || !Array.isArray(given) || !given.some(isTypedAndHosted)) return kept as Block
    leftOut.push(anyTool)
    return { ...kept, tools: given.filter((tool) => !isTypedAndHosted(tool)) } as Block
  }

  /** The blocks in some fields of another, or of a request. */
  function guardInside(outer: JsonObject, names: readonly string[], leftOut: string[]): JsonObject {
    let kept = outer
    for (const name of names) {
      const value = outer[name]
      if (Array.isArray(value)) kept = withField(kept, name, mapped(value, guardBlock, leftOut))
      // The content of a hosted tool's result is an object, with what the tool wrote.
      else if (name !== 'content') kept = withField(kept, name, guardBlock(value, leftOut))
    }
    return kept
  }

  /** Lists of the tools of a server have no types. */
  function isTypedAndHosted(tool: unknown): boolean {
    return isObject(tool) && tool['type'] != null && isHostedTool(tool)
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
    return ![...free, ...allow].some((name) => isVersionOf(type, name))
  }

  return (request) => {
    const { providerOptions, native, messages, tools: functions } = request
    const dialect = native && dialects.find((each) => native[each])
    const own = providerOptions?.[id]
    const leftOut: string[] = []
    let guarded = request
    if (dialect) guarded = { ...guarded, native: { ...native, [dialect]: guardNative(native[dialect]!, leftOut) } }
    if (own) {
      const kept = guardRequest(own, functions?.length ?? 0, leftOut)
      guarded = { ...guarded, providerOptions: { ...providerOptions, [id]: kept } }
    }
    if (messages) guarded = withField(guarded, 'messages', mapped(messages, guardMessage, leftOut))
    if (functions) guarded = withField(guarded, 'tools', mapped(functions, guardPart, leftOut))
    if (leftOut.length === 0) return { request: guarded, warnings: [] }
    const names = [...new Set(leftOut)].slice(0, maxWarnings)
    return {
      request: guarded,
      warnings: names.map((name) => ({ field: `providerOptions.${id}.${name}`, issue: notAllowed })),
    }
  }
}

/** The items, each guarded; the same list if none has changed. */
function mapped<Item>(
  items: readonly Item[],
  guard: (item: Item, leftOut: string[]) => Item,
  leftOut: string[],
): readonly Item[] {
  let kept: Item[] | undefined
  for (let index = 0; index < items.length; index++) {
    const guarded = guard(items[index]!, leftOut)
    if (guarded === items[index]) continue
    kept ??= [...items]
    kept[index] = guarded
  }
  return kept ?? items
}

/** The object with the value of a field; the same object if it has that value. */
function withField<Value extends object, Field extends keyof Value>(
  object: Value,
  field: Field,
  value: Value[Field],
): Value {
  return object[field] === value ? object : { ...object, [field]: value }
}

/** Whether a choice demands a hosted tool: by its type, by its name, or in a list of allowed tools. */
function isForced(choice: unknown, hosted: readonly unknown[], types: readonly string[]): boolean {
  if (!isObject(choice)) return false
  const { type, name } = choice
  if (type === 'allowed_tools' || types.includes(String(type))) return true
  return name !== undefined && hosted.some((tool) => isObject(tool) && tool['name'] === name)
}

function refusal(field: string, detail: string): ProviderError {
  return new ProviderError('invalid_request', detail, { field, detail })
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
