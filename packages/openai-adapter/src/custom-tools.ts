import { readToolInput } from '@fairlead/core/provider'
import { type Fields, isObject } from '@fairlead/http'

/** Custom tools take text instead of JSON. Here they have an input with one field of text. */
const textSchema = { type: 'object', properties: { input: { type: 'string' } }, required: ['input'] }

/** A custom tool as a function. Its grammar is for the model to read: other providers than OpenAI cannot enforce it. */
export function toTextTool(name: unknown, { description, grammar }: Fields): Fields {
  return { name, description: describeText(description, grammar), inputSchema: textSchema }
}

function describeText(description: unknown, grammar: unknown): unknown {
  const { syntax, definition } = isObject(grammar) ? grammar : ({} as Fields)
  if (typeof definition !== 'string') return description ?? undefined
  const told = typeof description === 'string' ? `${description}\n\n` : ''
  const named = typeof syntax === 'string' ? `${syntax} grammar` : 'grammar'
  return `${told}The field "input" follows this ${named}:\n${definition}`
}

/** The text for a custom tool. A model may also write other JSON, or no JSON. */
export function textIn(json: string): string {
  const { input } = readToolInput(json)
  return typeof input?.['input'] === 'string' ? input['input'] : json
}
