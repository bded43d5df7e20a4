import type { Issue, TextRequest, Tool, WebSearch } from '@fairlead/core/provider'
import { toObjectSchema, toOutputSchema } from '@fairlead/provider-toolkit'
import type { ModelRules } from './model-rules.ts'
import type { MessageRequest, WireSearch, WireTool, WireToolChoice } from './wire.ts'

/**
 * The tools of a request, and how the model may use them.
 *
 * @param id the key of the provider's own options
 */
export function toTools(
  { tools = [], toolChoice, parallelToolCalls, webSearch }: TextRequest,
  id: string,
  { forcedTools }: ModelRules,
): { readonly fields: Pick<MessageRequest, 'tools' | 'tool_choice'>; readonly warnings: readonly Issue[] } {
  const search = webSearch && toSearch(webSearch, tools)
  if (tools.length === 0 && !search) return { fields: {}, warnings: [] }
  const isForced = toolChoice?.type === 'required' || toolChoice?.type === 'tool'
  const isRefused = isForced && !forcedTools
  const isSingle = parallelToolCalls === false && toolChoice?.type !== 'none'
  const warnings: Issue[] = isRefused
    ? [{ field: 'toolChoice', issue: 'this model decides itself whether it calls a tool' }]
    : []
  if (webSearch && !search) warnings.push(nameIsTaken)
  const choice = isRefused ? auto : (toChoice(toolChoice) ?? (isSingle ? auto : undefined))
  return {
    fields: {
      tools: [
        ...tools.map((tool, index) => toTool(tool, `tools[${index}].inputSchema`, id, warnings)),
        ...(search ? [search] : []),
      ],
      ...(choice && { tool_choice: { ...choice, ...(isSingle && { disable_parallel_tool_use: true }) } }),
    },
    warnings,
  }
}

const searchName = 'web_search'
const nameIsTaken: Issue = { field: 'webSearch', issue: `was ignored: a tool of the request is called "${searchName}"` }

/**
 * The first version, which the most models have: later ones also filter results by code execution.
 *
 * @returns undefined if a function has the name of the search
 */
function toSearch(
  { maxUses, allowedDomains, blockedDomains, userLocation }: WebSearch,
  tools: readonly Tool[],
): WireSearch | undefined {
  if (tools.some(({ name }) => name === searchName)) return undefined
  return {
    type: 'web_search_20250305',
    name: searchName,
    ...(maxUses !== undefined && { max_uses: maxUses }),
    ...(allowedDomains && { allowed_domains: allowedDomains }),
    ...(blockedDomains && { blocked_domains: blockedDomains }),
    ...(userLocation && { user_location: { type: 'approximate', ...userLocation } }),
  }
}

const auto: WireToolChoice = { type: 'auto' }

function toChoice(choice: TextRequest['toolChoice']): WireToolChoice | undefined {
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
