import type { TextAnswer } from '@fairlead/core/provider'
import { type Capability, capabilityRequests } from '@fairlead/testing/suites'

/** A documented request and reply of an API for a capability. The types come from the official SDK. */
export interface OfficialExchange<Body, Reply> {
  readonly body: Body
  readonly reply: Reply
  /** Undefined where the model refuses. */
  readonly answer: TextAnswer | undefined
}

/** OpenAI's APIs do not name the stop sequence that ended a text. */
export type OfficialCapability = Exclude<Capability, 'stopSequence' | 'citations' | 'ownBlocks' | 'webSearch'>

export type OfficialExchanges<Body, Reply> = Readonly<Record<OfficialCapability, OfficialExchange<Body, Reply>>>

/** The texts, images and tools of the suite's requests, in the places where both APIs need them. */
export function textIn(capability: Capability, message = 0): string {
  const part = capabilityRequests[capability].messages[message]?.content[0]
  return part?.type === 'text' ? part.text : ''
}

export function dataUrlIn(capability: Capability): string {
  const part = capabilityRequests[capability].messages[0]!.content[1]
  if (part?.type !== 'image' && part?.type !== 'file') return ''
  const { source } = part
  return source.kind === 'data' ? `data:${source.mediaType};base64,${source.data}` : ''
}

export const [weather, time] = capabilityRequests.parallelTools.tools!.map((tool) => ({
  name: tool.name,
  description: tool.description!,
  parameters: { ...tool.inputSchema },
})) as [WireTool, WireTool]

interface WireTool {
  readonly name: string
  readonly description: string
  readonly parameters: Record<string, unknown>
}

const { responseFormat } = capabilityRequests.jsonSchema
export const capital = responseFormat?.type === 'json_schema' ? { ...responseFormat.schema } : {}

export const city = '{"city":"Lisbon"}'
export const place = '{"place":"Osaka"}'
export const weatherCall = {
  type: 'tool_call',
  id: 'call_a',
  name: weather.name,
  inputText: city,
  input: { city: 'Lisbon' },
} as const
export const timeCall = {
  type: 'tool_call',
  id: 'call_b',
  name: time.name,
  inputText: place,
  input: { place: 'Osaka' },
} as const

/** The calls in the history of the request with results. */
export const earlier = { weather: '{"city":"Porto"}', time: '{"place":"Kyoto"}' } as const

export const usage = { promptTokens: 20, completionTokens: 5 } as const

/** An answer of text alone. */
export function texted(content: string): TextAnswer {
  return { parts: [{ type: 'text', text: content }], finishReason: 'stop', usage }
}
