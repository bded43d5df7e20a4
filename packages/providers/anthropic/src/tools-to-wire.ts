import type { Issue, TextRequest, Tool } from '@fairlead/core/provider'
import { toObjectSchema, toOutputSchema } from '@fairlead/provider-toolkit'
import type { ModelRules } from './model-rules.ts'
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
  const warnings: Issue[] = isRefused
    ? [{ field: 'toolChoice', issue: 'this model decides itself whether it calls a tool' }]
    : []
  const choice = isRefused ? auto : (choiceOf(toolChoice) ?? (isSingle ? auto : undefined))
  return {
    fields: {
      tools: tools.map((tool, index) => toTool(tool, `tools[${index}].inputSchema`, id, warnings)),
      ...(choice && { tool_choice: { ...choice, ...(isSingle && { disable_parallel_tool_use: true }) } }),
    },
    warnings,
  }
}

const auto: WireToolChoice = { type: 'auto' }

function choiceOf(choice: TextRequest['toolChoice']): WireToolChoice | undefined {
  if (!choice || choice.type === 'tool') return choice
  return { type: choice.type === 'required' ? 'any' : choice.type }
}

/** With `strict`, the API takes only the keywords that it can enforce. */
function toTool(
  { name, description, inputSchema, strict, providerOptions }: Tool,
  field: string,
  id: string,
  warnings: Issue[],
): WireTool {
  const changed: string[] = []
  const moved: string[] = []
  const schema = toObjectSchema(inputSchema, changed)
  const input_schema = strict ? toOutputSchema(schema, moved) : schema
  if (changed.length > 0) warnings.push({ field, issue: `the model does not see ${changed.join(', ')} of the root` })
  warnings.push(...movedWarnings(field, moved))
  return {
    ...providerOptions?.[id],
    name,
    ...(description !== undefined && { description }),
    input_schema,
    ...(strict && { strict }),
  }
}

/** @param moved the keywords that the API cannot enforce */
export function movedWarnings(field: string, moved: readonly string[]): readonly Issue[] {
  if (moved.length === 0) return []
  return [{ field, issue: `the model follows ${[...new Set(moved)].join(', ')} without a guarantee` }]
}
