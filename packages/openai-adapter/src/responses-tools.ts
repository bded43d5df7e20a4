import { partOptions } from './content-parts.ts'
import { type Fields, invalid, isObject, listAt, objectAt } from './fields.ts'

export interface ReadTools {
  readonly tools: readonly object[]
  /** The names of the tools that take free text. */
  readonly custom: ReadonlySet<string>
}

/** Custom tools take text instead of JSON. Here they have an input with one field of text. */
const textSchema = { type: 'object', properties: { input: { type: 'string' } }, required: ['input'] }

export function readTools(value: unknown): ReadTools {
  const custom = new Set<string>()
  const tools = listAt(value ?? [], 'tools').map((each, index) => {
    const tool = objectAt(each, `tools[${index}]`)
    const { type, name, description, parameters, strict, format } = tool
    if (type === 'custom') {
      if (typeof name === 'string') custom.add(name)
      return { name, description: describeText(description, format), inputSchema: textSchema, ...partOptions(tool) }
    }
    if (type !== 'function') throw unsupported(type, `tools[${index}].type`)
    return {
      name,
      description: description ?? undefined,
      inputSchema: parameters ?? { type: 'object', properties: {} },
      strict: strict ?? undefined,
      ...partOptions(tool),
    }
  })
  return { tools, custom }
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
  const { type, name } = choice
  if (type !== 'function' && type !== 'custom') throw unsupported(type, 'tool_choice.type')
  return { input: { type: 'tool', name }, sent: { type, name } }
}
