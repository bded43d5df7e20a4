import { type Fields, invalid, isObject, isPresent, listAt, objectAt, toUserLocation } from '@fairlead/http'
import { toFunction } from './chat-request.ts'
import { partOptions } from './content-parts.ts'
import { toTextTool } from './custom-tools.ts'
import { unknownFields } from './fields.ts'

/** The client's name for a tool. */
export interface ToolName {
  readonly name: string
  /** The group of the tool. */
  readonly namespace?: string
  /** Whether its input is text instead of JSON. */
  readonly isCustom: boolean
}

interface ReadTool {
  readonly tool: Fields
  readonly path: string
  readonly isCustom: boolean
  readonly namespace: string | undefined
}

/** Models know the tools of a namespace by one name. */
export function flatName(namespace: unknown, name: unknown): unknown {
  return typeof namespace === 'string' && typeof name === 'string' ? `${namespace}__${name}` : name
}

/** The tools of a request, which are also in items of its input. */
export function readTools({ tools: list, input, tool_choice: choice, max_tool_calls: maxUses }: Fields) {
  /** The types of other tools, which OpenAI runs, or knows in a special form. */
  const hosted: string[] = []
  const paths: string[] = []
  const searches: { readonly tool: Fields; readonly path: string }[] = []
  const readList = (tools: unknown, field: string, namespace?: string): readonly ReadTool[] =>
    listAt(tools ?? [], field).flatMap((each, index) => {
      const path = `${field}[${index}]`
      const tool = objectAt(each, path)
      const { type, name } = tool
      if (isNamed(tool)) return { tool, path, isCustom: type === 'custom', namespace }
      if (typeof type !== 'string') throw invalid(`${path}.type`, 'is required')
      if (namespace !== undefined) throw hostedInNamespace(type, `${path}.type`)
      if (type === 'namespace') {
        if (typeof name !== 'string') throw invalid(`${path}.name`, 'is required')
        return readList(listAt(tool['tools'], `${path}.tools`), `${path}.tools`, name)
      }
      hosted.push(type)
      if (searches.length === 0 && isSearch(tool)) searches.push({ tool, path })
      else paths.push(path)
      return []
    })
  const items: readonly unknown[] = Array.isArray(input) ? input : []
  const added = items.flatMap((item, index) =>
    isObject(item) && item['type'] === 'additional_tools' ? readList(item['tools'], `input[${index}].tools`) : [],
  )
  const read = [...readList(list, 'tools'), ...added]
  /** By the name that the model knows. */
  const names = new Map<string, ToolName>()
  for (const { tool, isCustom, namespace } of read) {
    const { name } = tool
    if (typeof name !== 'string') continue
    names.set(String(flatName(namespace, name)), { name, isCustom, ...(namespace !== undefined && { namespace }) })
  }
  const [only] = paths
  const [search] = searches
  const isOnlySearch = search !== undefined && paths.length === 0 && read.length === 0
  const isSearchChosen = isOnlySearch && isObject(choice) && isSearchType(choice['type'])
  /** The fields that only a provider of the API can do as asked. */
  const required = [
    ...(only !== undefined && read.length === 0 ? [`${only}.type`] : []),
    ...(isObject(choice) && !isNamed(choice) && !isSearchChosen ? ['tool_choice.type'] : []),
  ]
  return {
    tools: read.map(toTool),
    names,
    paths: read.map(({ path }) => path),
    hosted,
    search: search && { ...readSearch(search.tool, maxUses), path: search.path, type: String(search.tool['type']) },
    isSearchChosen,
    required,
  }
}

function isSearchType(type: unknown): boolean {
  return typeof type === 'string' && /^web_search(_preview)?(_[\d_]+)?$/.test(type)
}

/** One that reads only what OpenAI has stored of the web, as Codex asks for, is not what other providers do. */
function isSearch({ type, external_web_access: isLive }: Fields): boolean {
  return isSearchType(type) && isLive !== false
}

/** The search in the form of core, and its fields that have no place there. */
function readSearch({ filters, user_location: location, ...others }: Fields, maxUses: unknown) {
  const domains = isObject(filters) ? filters : ({} as Fields)
  return {
    input: {
      maxUses: maxUses ?? undefined,
      allowedDomains: domains['allowed_domains'] ?? undefined,
      blockedDomains: domains['blocked_domains'] ?? undefined,
      ...(isObject(location) && { userLocation: toUserLocation(location) }),
    },
    ignored: unknownFields(others, ['type', 'external_web_access']).map((name) => `web_search.${name}`),
  }
}

function isNamed({ type }: Fields): boolean {
  return type === 'function' || type === 'custom'
}

function toTool({ tool, isCustom, namespace }: ReadTool): object {
  const name = flatName(namespace, tool['name'])
  if (!isCustom) return toFunction({ ...tool, name }, partOptions(tool))
  const { description, format: grammar } = tool
  return { ...toTextTool(name, { description, grammar }), ...partOptions(tool) }
}

function hostedInNamespace(type: string, field: string): Error {
  return invalid(field, `must be "function" or "custom": the service cannot run the hosted tool "${type.slice(0, 64)}"`)
}

/** The choice in the form of core, and as the response repeats it. */
export function readToolChoice(
  choice: unknown,
  hasTools: boolean,
): { readonly input?: object; readonly sent: unknown } {
  if (!isPresent(choice)) return { sent: 'auto' }
  if (!isObject(choice)) return { ...(hasTools && { input: { type: choice } }), sent: choice }
  const { type, name, namespace } = choice
  if (!isNamed(choice)) return { sent: { type } }
  return { input: { type: 'tool', name: flatName(namespace, name) }, sent: { type, name } }
}
