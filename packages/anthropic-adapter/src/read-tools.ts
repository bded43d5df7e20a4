import { requireList, requireObject } from './checks.ts'
import type { Block, ProviderData } from './provider-data.ts'

/** The tools of a request as `generate` takes them, and Anthropic's own. */
export interface Tools {
  readonly input: Block
  /** Fields for Anthropic's providers: its own tools, and a choice that needs them. */
  readonly own: Block
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
  const own = tools.filter((each) => !isCustom(each)).map(({ tool }) => tool)
  const choice = rawChoice === undefined || rawChoice === null ? undefined : requireObject(rawChoice, 'tool_choice')
  // Core knows only custom tools, and so cannot choose another one.
  const isOwnChoice =
    own.length > 0 && choice !== undefined && !custom.some(({ tool }) => isChosen(choice, tool['name']))
  return {
    input: {
      ...(custom.length > 0 && { tools: custom.map(({ tool }) => readTool(tool, data)) }),
      ...(choice && !isOwnChoice && readChoice(choice)),
    },
    own: { ...(own.length > 0 && { tools: own }), ...(isOwnChoice && { tool_choice: choice }) },
    ownTypes: own.map(({ type }) => String(type)),
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
