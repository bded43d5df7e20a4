import type { Message, Provider, TextAnswer, TextModel, TextRequest, ToolCallPart } from '@fairlead/core/provider'
import { type Capability, type CapabilityRequest, capabilities, capabilityRequests } from './capability-requests.ts'
import type { CapabilityReplay, ProviderSuiteOptions } from './suite-options.ts'
import { readScript } from './script.ts'
import type { KindReplay } from './suite-world.ts'

/** A replay of a capability, whole or as a stream. */
export interface CapabilityRecord extends KindReplay {
  readonly kind: 'text' | 'stream'
  readonly capability: Capability
  readonly request: CapabilityRequest & Partial<TextRequest>
  readonly answer: Partial<TextAnswer>
  /** The call fails with it, instead of an answer. */
  readonly failure?: CapabilityReplay['failure']
}

export function readCapabilities(
  given: ProviderSuiteOptions['capabilities'] = {},
  secretIn?: string,
): readonly CapabilityRecord[] {
  return capabilities.flatMap((capability) => {
    const replay = given[capability]
    return replay ? [...listRecords(capability, replay, secretIn)] : []
  })
}

function* listRecords(
  capability: Capability,
  replay: CapabilityReplay,
  secretIn: string | undefined,
): Generator<CapabilityRecord, void, undefined> {
  const { answer = {}, failure } = replay
  const request = { ...capabilityRequests[capability], ...replay.request }
  for (const kind of ['text', 'stream'] as const) {
    const given = replay[kind]
    if (!given) continue
    const record = { kind, capability, request, answer, ...readScript(given, secretIn) }
    yield failure ? { ...record, failure } : record
  }
}

/**
 * The fact about a model that requires a replay. No fact says that a model cites its sources, or has blocks that only
 * its API knows.
 */
const neededBy = {
  chat: 'chat',
  system: 'chat',
  image: 'vision',
  imageUrl: 'urls',
  file: 'vision',
  tool: 'tools',
  parallelTools: 'tools',
  toolResult: 'tools',
  forcedTool: 'tools',
  jsonSchema: 'structured',
  reasoning: 'reasoning',
  reasoningOff: 'reasoning',
  refusal: 'chat',
  cachedTokens: 'chat',
  stopSequence: 'chat',
  citations: undefined,
  ownBlocks: undefined,
  webSearch: undefined,
} as const satisfies Readonly<Record<Capability, keyof TextModel | undefined>>

/** Why a provider needs no replay of a capability. */
export function whyUnneeded(
  { models, webSearch }: Provider,
  capability: Capability,
  records: readonly CapabilityRecord[],
) {
  if (capability === 'webSearch' && webSearch) return undefined
  const fact = neededBy[capability]
  if (fact === undefined) {
    return records.some((record) => record.capability === capability) ? undefined : 'this replay is optional'
  }
  if (typeof models === 'function') {
    return records.length === 0
      ? 'it fetches its models from the upstream, and has no replay of a capability'
      : undefined
  }
  const isNeeded = models.some((model) => model.type === 'text' && model.chat === true && model[fact] === true)
  return isNeeded ? undefined : `it lists no chat model with ${fact}`
}

/** Whether a replay is about its capability. */
export const isAbout: Readonly<Record<Capability, (record: CapabilityRecord) => boolean>> = {
  chat: ({ request }) => countRole(request, 'user') >= 2 && countRole(request, 'assistant') >= 1,
  system: ({ request }) => countRole(request, 'system') >= 1,
  image: ({ request }) => partsIn(request).some((part) => part.type === 'image' && part.source.kind === 'data'),
  imageUrl: ({ request }) => partsIn(request).some((part) => part.type === 'image' && part.source.kind === 'url'),
  file: ({ request }) => partsIn(request).some((part) => part.type === 'file'),
  tool: ({ answer }) => callsTools(answer, 1),
  parallelTools: ({ answer }) => callsTools(answer, 2),
  toolResult: ({ request }) => partsIn(request).filter(({ type }) => type === 'tool_result').length >= 2,
  forcedTool: ({ request, answer }) => request.toolChoice?.type === 'tool' && callsTools(answer, 1),
  jsonSchema: ({ request }) => request.responseFormat?.type === 'json_schema',
  reasoning: ({ request, answer }) => request.reasoning !== undefined && hasReasoned(answer),
  reasoningOff: ({ request, answer }) => request.reasoning?.effort === 'none' && !hasReasoned(answer),
  refusal: ({ failure, answer }) =>
    failure !== undefined || answer.finishReason === 'refusal' || answer.finishReason === 'content_filter',
  cachedTokens: ({ answer }) => (answer.usage?.cachedPromptTokens ?? 0) > 0,
  stopSequence: ({ request, answer: { stopSequence = '' } }) => request.stop?.includes(stopSequence) === true,
  citations: ({ answer }) => answer.parts?.some((part) => part.type === 'text' && part.citations?.length) === true,
  webSearch: ({ request, answer }) => request.webSearch !== undefined && (answer.usage?.webSearches ?? 0) > 0,
  ownBlocks: ({ answer }) => answer.parts?.some(({ type }) => type === 'opaque') === true,
}

function countRole({ messages }: CapabilityRequest, role: Message['role']): number {
  return messages.filter((message) => message.role === role).length
}

function partsIn({ messages }: CapabilityRequest): readonly Message['content'][number][] {
  return messages.flatMap(({ content }): readonly Message['content'][number][] => content)
}

function callsTools(answer: Partial<TextAnswer>, count: number): boolean {
  return answer.finishReason === 'tool_calls' && toolCalls(answer).length >= count
}

function hasReasoned(answer: Partial<TextAnswer>): boolean {
  return (answer.usage?.reasoningTokens ?? 0) > 0 || answer.parts?.some(({ type }) => type === 'reasoning') === true
}

export function toolCalls({ parts = [] }: Partial<TextAnswer>): readonly ToolCallPart[] {
  return parts.filter((part) => part.type === 'tool_call')
}
