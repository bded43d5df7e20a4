import { isPresent, listAt, objectAt } from '@fairlead/http'
import type { Block, ProviderData } from './provider-data.ts'

/** The tools of a request as `generate` takes them. Providers of the API get them as they are. */
export function readTools(rawTools: unknown, rawChoice: unknown, data: ProviderData) {
  const tools = listAt(rawTools ?? [], 'tools').map((raw, index) => ({ index, tool: objectAt(raw, `tools[${index}]`) }))
  const { custom = [], own = [] } = Object.groupBy(tools, ({ tool: { type } }) =>
    (type ?? 'custom') === 'custom' ? 'custom' : 'own',
  )
  const choice = isPresent(rawChoice) ? objectAt(rawChoice, 'tool_choice') : undefined
  // Core knows only custom tools, and so cannot choose another one.
  const isOwnChoice =
    own.length > 0 && choice !== undefined && !custom.some(({ tool }) => isChosen(choice, tool['name']))
  const [first] = own
  if (first && (custom.length === 0 || isOwnChoice)) data.required.add(`tools[${first.index}].type`)
  return {
    input: {
      ...(custom.length > 0 && { tools: custom.map(({ tool }) => readTool(tool, data)) }),
      ...(choice && !isOwnChoice && readChoice(choice)),
    },
    /** The types of Anthropic's own tools. */
    ownTypes: own.map(({ tool }) => String(tool['type'])),
    /** The index in the request of each tool of `input`. */
    indexes: custom.map(({ index }) => index),
  }
}

function isChosen({ type, name }: Block, tool: unknown): boolean {
  return type !== 'tool' || name === tool
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
