import { requireList, requireObject } from './checks.ts'
import type { Block, ProviderData } from './provider-data.ts'

/** The tools of a request as `generate` takes them. Providers of the API get them as they are. */
export interface Tools {
  readonly input: Block
  /** The types of Anthropic's own tools. */
  readonly ownTypes: readonly string[]
  /** The index in the request of each tool of `input`. */
  readonly places: readonly number[]
}

export function readTools(rawTools: unknown, rawChoice: unknown, data: ProviderData): Tools {
  const list = rawTools === undefined || rawTools === null ? [] : requireList(rawTools, 'tools')
  const tools = list.map((raw, index) => ({ index, tool: requireObject(raw, `tools[${index}]`) }))
  const isCustom = ({ tool: { type } }: (typeof tools)[number]) =>
    type === undefined || type === null || type === 'custom'
  const custom = tools.filter(isCustom)
  const own = tools.filter((each) => !isCustom(each))
  const choice = rawChoice === undefined || rawChoice === null ? undefined : requireObject(rawChoice, 'tool_choice')
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
    ownTypes: own.map(({ tool }) => String(tool['type'])),
    places: custom.map(({ index }) => index),
  }
}

function isChosen({ type, name }: Block, tool: unknown): boolean {
  return type !== 'tool' || name === tool
}

function readTool({ type: _type, name, description, input_schema, strict, ...rest }: Block, data: ProviderData): Block {
  const providerOptions = data.forAnthropic(rest)
  return {
    name,
    inputSchema: input_schema,
    ...(description !== undefined && description !== null && { description }),
    ...(strict !== undefined && strict !== null && { strict }),
    ...(providerOptions && { providerOptions }),
  }
}

function readChoice({ type, name, disable_parallel_tool_use: isSingle }: Block): Block {
  return {
    toolChoice: { type: type === 'any' ? 'required' : type, ...(name !== undefined && { name }) },
    ...(isSingle === true && { parallelToolCalls: false }),
  }
}
