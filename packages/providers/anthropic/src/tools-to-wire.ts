import type { Issue, TextRequest, Tool } from '@fairlead/core/provider'
import type { ModelRules } from './model-rules.ts'
import { toOutputSchema } from './output-schema.ts'
import type { MessageRequest, WireTool, WireToolChoice } from './wire.ts'

/**
 * The tools of a request, and how the model may use them.
 *
 * @param id the key of the provider's own options
 */
export function toTools(
  { tools = [], toolChoice, parallelToolCalls }: TextRequest,
  id: string,
  { forcedTools }: ModelRules,
): { readonly fields: Pick<MessageRequest, 'tools' | 'tool_choice'>; readonly warnings: readonly Issue[] } {
  if (tools.length === 0) return { fields: {}, warnings: [] }
  const isForced = toolChoice?.type === 'required' || toolChoice?.type === 'tool'
  const isRefused = isForced && !forcedTools
  const isSingle = parallelToolCalls === false && toolChoice?.type !== 'none'
  const choice = isRefused ? auto : (choiceOf(toolChoice) ?? (isSingle ? auto : undefined))
  return {
    fields: {
      tools: tools.map((tool) => toTool(tool, id)),
      ...(choice && { tool_choice: { ...choice, ...(isSingle && { disable_parallel_tool_use: true }) } }),
    },
    warnings: isRefused ? [{ field: 'toolChoice', issue: 'this model decides itself whether it calls a tool' }] : [],
  }
}

const auto: WireToolChoice = { type: 'auto' }

function choiceOf(choice: TextRequest['toolChoice']): WireToolChoice | undefined {
  if (!choice || choice.type === 'tool') return choice
  return { type: choice.type === 'required' ? 'any' : choice.type }
}

/** With `strict`, the API takes only the keywords that it can enforce. */
function toTool({ name, description, inputSchema, strict, providerOptions }: Tool, id: string): WireTool {
  const schema = { type: 'object', ...inputSchema }
  return {
    ...providerOptions?.[id],
    name,
    ...(description !== undefined && { description }),
    input_schema: strict ? toOutputSchema(schema) : schema,
    ...(strict && { strict }),
  }
}
