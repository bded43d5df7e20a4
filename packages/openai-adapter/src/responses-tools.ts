import { partOptions } from './content-parts.ts'
import { type Fields, invalid, isObject, listAt, objectAt } from './fields.ts'

/** What the client knows a tool by. */
export interface ToolName {
  readonly name: string
  /** The group of the tool. */
  readonly namespace?: string
  /** Whether its input is text instead of JSON. */
  readonly isCustom: boolean
}

export interface ReadTools {
  readonly tools: readonly object[]
  /** By the name that the model knows. */
  readonly names: ReadonlyMap<string, ToolName>
  /** Where each tool was in the request. */
  readonly places: readonly string[]
  /** Tools that OpenAI runs itself. */
  readonly hosted: readonly Hosted[]
}

/** A tool that is neither a function nor a custom tool, as the client sent it. */
export interface Hosted {
  readonly tool: Fields
  readonly type: string
  /** Where it was in the request. */
  readonly place: string
  /** Whether the provider `openai` can run it, so that its results are part of the text. */
  readonly isRunnable: boolean
}

interface ReadTool {
  readonly tool: Fields
  readonly place: string
  readonly isCustom: boolean
  readonly namespace?: string
}

/** Models know the tools of a namespace by one name. */
export function flatName(namespace: unknown, name: unknown): unknown {
  return typeof namespace === 'string' && typeof name === 'string' ? `${namespace}__${name}` : name
}

/** The tools of a request, which are also in items of its input. */
export function readTools({ tools: list, input }: Fields): ReadTools {
  const hosted: Hosted[] = []
  const readList = (tools: unknown, field: string) =>
    listAt(tools ?? [], field).flatMap((each, index) => {
      const place = `${field}[${index}]`
      const tool = objectAt(each, place)
      const { type } = tool
      if (typeof type !== 'string' || clientTypes.has(type)) return readTool(tool, place)
      hosted.push({ tool, type, place, isRunnable: isRunnable(type) })
      return []
    })
  const items: readonly unknown[] = Array.isArray(input) ? input : []
  const added = items.flatMap((item, index) =>
    isObject(item) && item['type'] === 'additional_tools' ? readList(item['tools'], `input[${index}].tools`) : [],
  )
  const read = [...readList(list, 'tools'), ...added]
  const [only] = hosted
  if (only && read.length === 0 && !hosted.some((each) => each.isRunnable))
    throw unsupported(only.type, `${only.place}.type`)
  const names = new Map<string, ToolName>()
  for (const { tool, isCustom, namespace } of read) {
    const { name } = tool
    if (typeof name !== 'string') continue
    names.set(String(flatName(namespace, name)), { name, isCustom, ...(namespace !== undefined && { namespace }) })
  }
  return { tools: read.map(toTool), names, places: read.map(({ place }) => place), hosted }
}

const clientTypes: ReadonlySet<string> = new Set(['function', 'custom', 'namespace'])

/** Others return calls for the client to run, return no text, or need what is stored in the account of the operator. */
function isRunnable(type: string): boolean {
  return type.startsWith('web_search') || type === 'code_interpreter'
}

function readTool(tool: Fields, place: string): readonly ReadTool[] {
  const { type, name, tools } = tool
  if (type === 'function' || type === 'custom') return [{ tool, place, isCustom: type === 'custom' }]
  if (type !== 'namespace') throw unsupported(type, `${place}.type`)
  if (typeof name !== 'string') throw invalid(`${place}.name`, 'is required')
  return listAt(tools, `${place}.tools`).map((each, index) => {
    const inner = `${place}.tools[${index}]`
    const own = objectAt(each, inner)
    if (own['type'] !== 'function' && own['type'] !== 'custom') throw unsupported(own['type'], `${inner}.type`)
    return { tool: own, place: inner, isCustom: own['type'] === 'custom', namespace: name }
  })
}

/** Custom tools take text instead of JSON. Here they have an input with one field of text. */
const textSchema = { type: 'object', properties: { input: { type: 'string' } }, required: ['input'] }

function toTool({ tool, isCustom, namespace }: ReadTool): object {
  const { name, description, parameters, strict, format } = tool
  const named = { name: flatName(namespace, name), ...partOptions(tool) }
  if (isCustom) return { ...named, description: describeText(description, format), inputSchema: textSchema }
  return {
    ...named,
    description: description ?? undefined,
    inputSchema: parameters ?? { type: 'object', properties: {} },
    strict: strict ?? undefined,
  }
}

/** The grammar of a custom tool is for the model to read: no provider here can enforce it. */
function describeText(description: unknown, format: unknown): unknown {
  const { syntax, definition } = isObject(format) ? format : ({} as Fields)
  if (typeof definition !== 'string') return description ?? undefined
  const told = typeof description === 'string' ? `${description}\n\n` : ''
  const grammar = typeof syntax === 'string' ? `${syntax} grammar` : 'grammar'
  return `${told}The field "input" follows this ${grammar}:\n${definition}`
}

function unsupported(type: unknown, field: string): Error {
  if (typeof type !== 'string') return invalid(field, 'is required')
  return invalid(field, `must be "function" or "custom": the service cannot run the hosted tool "${type.slice(0, 64)}"`)
}

/** The choice in the form of core or of OpenAI, and as the response repeats it. */
export interface ReadChoice {
  readonly input?: object
  /** The choice of a hosted tool. */
  readonly hosted?: unknown
  readonly sent: unknown
}

export function readToolChoice(choice: unknown, { tools, hosted }: ReadTools): ReadChoice {
  if (choice === undefined || choice === null) return { sent: 'auto' }
  if (!isObject(choice)) {
    if (tools.length > 0) return { input: { type: choice }, sent: choice }
    return { ...(hosted.length > 0 && { hosted: choice }), sent: choice }
  }
  const { type, name, namespace } = choice
  if (type === 'function' || type === 'custom') {
    return { input: { type: 'tool', name: flatName(namespace, name) }, sent: { type, name } }
  }
  if (!hosted.some((each) => each.isRunnable && each.type === type)) throw unsupported(type, 'tool_choice.type')
  return { hosted: choice, sent: { type } }
}

/** What the provider `openai` gets beside the functions: the hosted tools that it can run, and the choice of one. */
export function hostedOptions({ hosted }: ReadTools, { hosted: choice }: ReadChoice): Fields | undefined {
  const tools = hosted.filter((each) => each.isRunnable).map(({ tool }) => tool)
  return tools.length > 0 ? { tools, ...(choice !== undefined && { tool_choice: choice }) } : undefined
}
