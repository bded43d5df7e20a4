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

export function readTools(value: unknown): ReadTools {
  const read = listAt(value ?? [], 'tools').flatMap((each, index) => readTool(each, `tools[${index}]`))
  const names = new Map<string, ToolName>()
  for (const { tool, isCustom, namespace } of read) {
    const { name } = tool
    if (typeof name !== 'string') continue
    names.set(String(flatName(namespace, name)), { name, isCustom, ...(namespace !== undefined && { namespace }) })
  }
  return { tools: read.map(toTool), names, places: read.map(({ place }) => place) }
}

function readTool(value: unknown, place: string): readonly ReadTool[] {
  const tool = objectAt(value, place)
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

/** The choice in the form of core, and as the response repeats it. */
export function readToolChoice(choice: unknown): { readonly input?: object; readonly sent: unknown } {
  if (choice === undefined || choice === null) return { sent: 'auto' }
  if (!isObject(choice)) return { input: { type: choice }, sent: choice }
  const { type, name, namespace } = choice
  if (type !== 'function' && type !== 'custom') throw unsupported(type, 'tool_choice.type')
  return { input: { type: 'tool', name: flatName(namespace, name) }, sent: { type, name } }
}
