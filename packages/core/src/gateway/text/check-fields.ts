import type * as z from 'zod'
import { invalidRequest } from '../../runtime/errors.ts'
import type { NativeRequest } from '../../runtime/run/run-options.ts'
import { maxTools } from '../messages/conversation-input.ts'
import type { textInput } from './generation.ts'
import { textLength } from './prompt-size.ts'

type Fields = Pick<
  z.output<typeof textInput>,
  'tools' | 'toolChoice' | 'webSearch' | 'responseFormat' | 'providerOptions'
>

/** Rejects tools, formats, and options that are too large, or that contradict each other. Few requests have any. */
export function checkFields(fields: Fields, native: NativeRequest | undefined): void {
  const { tools, toolChoice, responseFormat: format, providerOptions } = fields
  requireModest({ tools, responseFormat: format, providerOptions })
  if (native) requireModestNative(native.fields)
  if (tools || toolChoice) requireConsistentTools(fields)
  if (format) requireWithType('responseFormat.schema', format.schema, format.type, 'json_schema')
}

/** In characters, of all names and texts. Larger ones would block the event loop each time they are written as JSON. */
const maxDescription = 1_000_000

function requireModest(fields: Readonly<Record<string, unknown>>): void {
  for (const field of Object.keys(fields)) {
    const value = fields[field]
    if (!value || textLength(value) <= maxDescription) continue
    const limit = maxDescription.toLocaleString('en')
    throw invalidRequest({ field, issue: `must have at most ${limit} characters in all its names and texts` })
  }
}

/** The system prompt counts as a message, and the prompt was checked. */
function requireModestNative({
  system: _system,
  instructions: _own,
  prompt: _prompt,
  ...fields
}: NativeRequest['fields']): void {
  const { tools } = fields
  if (Array.isArray(tools) && tools.length > maxTools) {
    throw invalidRequest({ field: 'tools', issue: `must have at most ${maxTools} entries` })
  }
  requireModest(fields)
}

const maxListed = 12

function requireConsistentTools({ tools = [], toolChoice: choice, webSearch }: Fields): void {
  const names = tools.map(({ name }) => name)
  const repeated = names.findIndex((name, index) => names.indexOf(name) !== index)
  if (repeated >= 0) throw invalidRequest({ field: `tools[${repeated}].name`, issue: 'is the name of another tool' })
  if (!choice) return
  if (names.length === 0 && (!webSearch || choice.type === 'tool'))
    throw invalidRequest({ field: 'toolChoice', issue: 'needs "tools"' })
  const field = 'toolChoice.name'
  requireWithType(field, choice.name, choice.type, 'tool')
  if (choice.name !== undefined && !names.includes(choice.name)) {
    throw invalidRequest({ field, issue: `must be one of the tools: ${names.slice(0, maxListed).join(', ')}` })
  }
}

/** Rejects a field that is missing with its type, or present with another one. */
function requireWithType(field: string, value: unknown, type: string, ownType: string): void {
  if ((value !== undefined) === (type === ownType)) return
  throw invalidRequest({ field, issue: `is ${type === ownType ? 'required with' : 'only for'} the type "${ownType}"` })
}
