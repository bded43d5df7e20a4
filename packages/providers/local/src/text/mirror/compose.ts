import type { Issue, JsonSchema, TextRequest } from '@fairlead/core/provider'
import { exampleValue } from '../example-value.ts'
import type { Exchange } from './read-exchange.ts'
import type { Script, ScriptedCall } from './read-script.ts'

/** An answer before it is cut: it has a reply or calls. */
export interface Composed {
  readonly reasoning?: string | undefined
  readonly reply?: string | undefined
  readonly calls: readonly (ScriptedCall & { readonly id: string })[]
  readonly warnings: readonly Issue[]
}

/** The answer that the script has, or else the one that the request demands, or else the text that it answers. */
export function compose(script: Script, rest: string, exchange: Exchange, request: TextRequest): Composed {
  const { toolCalls = [], reply } = script
  const warnings: Issue[] = []
  const fallback = (): Pick<Composed, 'reply'> & { calls: readonly ScriptedCall[] } => {
    const tool = exchange.results === undefined ? demandedTool(request) : undefined
    if (tool) {
      const field = `tools[${request.tools!.indexOf(tool)}].inputSchema`
      return { calls: [{ name: tool.name, input: asObject(example(tool.inputSchema, field, warnings)) }] }
    }
    return { reply: formatted(exchange.results ?? rest, request, warnings), calls: [] }
  }
  const scripted = reply !== undefined || toolCalls.length > 0
  const answer = scripted ? { reply, calls: toolCalls } : fallback()
  return {
    reasoning: chooseReasoning(script, request),
    reply: answer.reply,
    calls: answer.calls.map((call, index) => ({ ...call, id: `call_${exchange.calls + index + 1}` })),
    warnings,
  }
}

function chooseReasoning({ reasoning }: Script, { reasoning: wanted }: TextRequest): string | undefined {
  if (wanted?.effort === 'none') return undefined
  return reasoning ?? (wanted?.effort ? `The effort is ${wanted.effort}.` : undefined)
}

function demandedTool({ tools = [], toolChoice }: TextRequest) {
  if (toolChoice?.type === 'required') return tools[0]
  return toolChoice?.type === 'tool' ? tools.find(({ name }) => name === toolChoice.name) : undefined
}

function formatted(text: string, { responseFormat }: TextRequest, warnings: Issue[]): string {
  if (responseFormat?.type === 'json') return JSON.stringify({ text })
  if (!responseFormat) return text
  return JSON.stringify(example(responseFormat.schema, 'responseFormat.schema', warnings))
}

function example(schema: JsonSchema, field: string, warnings: Issue[]): unknown {
  const { value, unmet } = exampleValue(schema)
  if (unmet.length > 0) {
    warnings.push({
      field,
      issue: `mirror's example may not satisfy the schema: it does not support ${unmet.join(', ')}`,
    })
  }
  return value
}

function asObject(value: unknown): ScriptedCall['input'] {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {}
}
