import { isObject, isPresent, listAt, objectAt, toUserLocation } from '@fairlead/http'
import type { Block, ProviderData } from './provider-data.ts'

/** The tools of a request as `generate` takes them. Providers of the API get them as they are. */
export function readTools(rawTools: unknown, rawChoice: unknown, data: ProviderData) {
  const tools = listAt(rawTools ?? [], 'tools').map((raw, index) => ({ index, tool: objectAt(raw, `tools[${index}]`) }))
  const { custom = [], own = [] } = Object.groupBy(tools, ({ tool: { type } }) =>
    (type ?? 'custom') === 'custom' ? 'custom' : 'own',
  )
  const search = own.find(({ tool }) => isSearch(tool['type']))
  const others = own.filter((each) => each !== search)
  const choice = isPresent(rawChoice) ? objectAt(rawChoice, 'tool_choice') : undefined
  const isOnlySearch = search !== undefined && custom.length + others.length === 0
  // Core knows only custom tools and the search, and cannot choose another one.
  const isOwnChoice =
    own.length > 0 &&
    !isOnlySearch &&
    choice !== undefined &&
    !custom.some(({ tool }) => isChosen(choice, tool['name']))
  const [first] = isOwnChoice ? own : custom.length === 0 ? others : []
  if (first) data.required.add(`tools[${first.index}].type`)
  return {
    input: {
      ...(custom.length > 0 && { tools: custom.map(({ tool }) => readTool(tool, data)) }),
      ...(search && { webSearch: readSearch(search.tool, data) }),
      ...(choice && !isOwnChoice && readChoice(isOnlySearch ? ofSearch(choice, search.tool) : choice)),
    },
    /** The types of Anthropic's own tools. */
    ownTypes: own.map(({ tool }) => String(tool['type'])),
    /** The same without the search, which models of other providers have too. */
    otherTypes: others.map(({ tool }) => String(tool['type'])),
    /** The index in the request of each tool of `input`. */
    indexes: custom.map(({ index }) => index),
    /** The index of the search tool. */
    searchIndex: search?.index,
  }
}

/** Each version searches; the later ones also filter what they found, by code that Anthropic runs. */
function isSearch(type: unknown): boolean {
  return typeof type === 'string' && /^web_search_\d+$/.test(type)
}

function isChosen({ type, name }: Block, tool: unknown): boolean {
  return type !== 'tool' || name === tool
}

/** The choice of the only tool is the choice of any. */
function ofSearch(choice: Block, search: Block): Block {
  const { name, ...others } = choice
  return choice['type'] === 'tool' && name === search['name'] ? { ...others, type: 'any' } : choice
}

function readSearch({ type: _type, name: _name, ...search }: Block, data: ProviderData): Block {
  const { max_uses, allowed_domains, blocked_domains, user_location: location, ...others } = search
  for (const [field, value] of Object.entries(others)) if (isPresent(value)) data.names.add(field)
  return {
    maxUses: max_uses ?? undefined,
    allowedDomains: allowed_domains ?? undefined,
    blockedDomains: blocked_domains ?? undefined,
    ...(isPresent(location) && { userLocation: toUserLocation(isObject(location) ? location : {}) }),
  }
}

function readTool({ type: _type, name, description, input_schema, strict, ...rest }: Block, data: ProviderData): Block {
  return {
    name,
    inputSchema: input_schema,
    description: description ?? undefined,
    strict: strict ?? undefined,
    providerOptions: data.forAnthropic(rest),
  }
}

function readChoice({ type, name, disable_parallel_tool_use: isSingle }: Block): Block {
  return {
    toolChoice: { type: type === 'any' ? 'required' : type, name },
    parallelToolCalls: isSingle === true ? false : undefined,
  }
}
