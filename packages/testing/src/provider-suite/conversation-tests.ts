import { ProviderError, reasoningEfforts } from '@fairlead/core/provider'
import { expect } from 'vitest'
import type { SuiteRequest } from './ask-provider.ts'
import type { CapabilityRecord } from './capability-records.ts'
import { expectSentOrWarned, lastBodies, namesIn, sentFor, textsIn, valuesIn } from './sent-request.ts'
import type { SuiteTester } from './suite-tester.ts'
import type { SuiteWorld } from './suite-world.ts'

/** Values that no API has as a default. */
const settings = { maxTokens: 47, temperature: 1.3, topP: 0.4, frequencyPenalty: 1.1, presencePenalty: -1.2 } as const

/** Every message, tool and setting of a conversation reaches the upstream, or the caller gets a warning. */
export function conversationTests(tester: SuiteTester, record: CapabilityRecord): void {
  const { capability, kind, request } = record
  tester.test(`sends every text of the request (${capability}, ${kind})`, (world) => expectTexts(world, record))
  const sendsEach = <Field extends keyof SuiteRequest>(field: Field, values: readonly SuiteRequest[Field][]) =>
    tester.test(`sends each ${field} or warns (${kind})`, (world) => expectDistinct(world, record, field, values))
  if (capability === 'chat') {
    tester.test(`keeps the order of the messages (${kind})`, (world) => expectOrder(world, record))
    for (const [field, value] of Object.entries(settings)) {
      tester.test(`leaves out ${field} when it is absent (${kind})`, (world) =>
        expectAbsent(world, record, { [field]: value }),
      )
    }
  } else if (capability === 'toolResult') {
    tester.test(`keeps each tool result with its call (${kind})`, (world) => expectMatched(world, record))
    tester.test(`sends isError of a tool result or warns (${kind})`, (world) =>
      expectFlag(world, record, 'messages', { isError: [false, true] }),
    )
  } else if (capability === 'tool') {
    tester.test(`sends strict of a tool or warns (${kind})`, (world) =>
      expectFlag(world, record, 'tools', { strict: [undefined, true] }),
    )
  } else if (capability === 'parallelTools') {
    sendsEach('parallelToolCalls', [undefined, false])
  } else if (capability === 'forcedTool') {
    sendsEach('toolChoice', [{ type: 'auto' }, { type: 'none' }, { type: 'required' }, request.toolChoice])
  } else if (capability === 'jsonSchema') {
    const formats = [undefined, { type: 'json' } as const, request.responseFormat]
    sendsEach('responseFormat', formats)
    tester.test(`sends strict of a responseFormat or warns (${kind})`, (world) =>
      expectFlag(world, record, 'responseFormat', { strict: [false, true] }),
    )
  } else if (capability === 'reasoning') {
    const efforts = reasoningEfforts.map((effort) => ({ effort }))
    sendsEach('reasoning', efforts)
  }
}

/** Words that each API has its own for, and names that it can take from another part or has no field for. */
const unsent: ReadonlySet<string> = new Set([
  'type',
  'kind',
  'role',
  'mediaType',
  'filename',
  'toolCallId',
  'id',
  'required',
  'inputText',
])

/** The texts of messages and tools that the upstream must receive, with the names of inputs and properties. */
export function essentialTexts(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null) return []
  if (Array.isArray(value)) return value.flatMap(essentialTexts)
  const isResult = 'toolCallId' in value
  return Object.entries(value).flatMap(([name, inner]) => {
    const names = name === 'properties' || name === 'input' ? Object.keys(inner as object) : []
    return unsent.has(name) || (isResult && name === 'name') ? [] : [...names, ...essentialTexts(inner)]
  })
}

/** Expects that each text is in the body as often as in the list, by itself or within another text. */
export function expectSent(world: SuiteWorld, texts: readonly string[]): void {
  const sent = [...textsIn(lastBodies(world)), ...namesIn(lastBodies(world))]
  const missing = texts.filter((text) => text !== '' && countIn(sent, text) < countIn(texts, text))
  expect(missing).toEqual([])
}

function countIn(texts: readonly string[], text: string): number {
  return texts.reduce((count, each) => count + each.split(text).length - 1, 0)
}

async function expectTexts(world: SuiteWorld, record: CapabilityRecord) {
  const { messages, tools, responseFormat: format } = record.request
  await sentFor(world, record, record.request).catch(() => {})
  expectSent(world, essentialTexts([messages, tools, format?.type === 'json_schema' ? format.schema : undefined]))
}

async function expectOrder(world: SuiteWorld, record: CapabilityRecord) {
  const texts = essentialTexts(record.request.messages)
  await sentFor(world, record, record.request)
  const order = textsIn(lastBodies(world)).flatMap((text) => texts.filter((each) => text.includes(each)))
  expect(order).toEqual(texts)
}

/** The setting adds to the body of a request without it, and changes nothing there: no default was sent in its place. */
async function expectAbsent(world: SuiteWorld, record: CapabilityRecord, setting: SuiteRequest) {
  const absent = Object.fromEntries(Object.keys(settings).map((field) => [field, undefined]))
  await sentFor(world, record, { ...record.request, ...absent })
  const without = valuesIn(lastBodies(world))
  await sentFor(world, record, { ...record.request, ...absent, ...setting })
  const changed = [...valuesIn(lastBodies(world))].filter(
    ([path, value]) => without.has(path) && without.get(path) !== value,
  )
  expect(changed.map(([path]) => `${path} was ${JSON.stringify(without.get(path))}`)).toEqual([])
}

/** The ids of the results exchanged: the same contents now belong to other calls. */
async function expectMatched(world: SuiteWorld, record: CapabilityRecord) {
  const { messages } = record.request
  const results = messages.flatMap(({ role, content }) => (role === 'tool' ? content : []))
  const next = new Map(results.map(({ toolCallId }, index) => [toolCallId, results.at(index - 1)!]))
  const exchanged = messages.map((message) => {
    if (message.role !== 'tool') return message
    const content = message.content.map((result) => {
      const { toolCallId, name } = next.get(result.toolCallId)!
      return { ...result, toolCallId, name }
    })
    return { ...message, content }
  })
  const { sent } = await sentFor(world, record, record.request)
  const { sent: other } = await sentFor(world, record, { ...record.request, messages: exchanged })
  expect(other).not.toBe(sent)
}

/** Both values of a flag give different requests, or the caller gets a warning about its field. */
async function expectFlag(
  world: SuiteWorld,
  record: CapabilityRecord,
  field: 'messages' | 'tools' | 'responseFormat',
  flag: { readonly [Name in 'isError' | 'strict']?: readonly (boolean | undefined)[] },
) {
  const [name, values = []] = Object.entries(flag)[0]!
  const outcomes: { sent: string; isWarned: boolean | undefined }[] = []
  for (const value of values) {
    const { sent, answer } = await sentFor(world, record, withFlag(record.request, field, { [name]: value }))
    outcomes.push({ sent, isWarned: answer.warnings?.some((warning) => warning.field?.startsWith(field)) })
  }
  expectSentOrWarned(`${name} of ${field}`, outcomes[0]?.sent !== outcomes[1]?.sent, outcomes[1]?.isWarned)
}

function withFlag(request: CapabilityRecord['request'], field: string, flag: object): CapabilityRecord['request'] {
  const { messages, tools, responseFormat } = request
  if (field === 'tools') return { ...request, tools: tools?.map((tool) => ({ ...tool, ...flag })) }
  if (field === 'responseFormat')
    return { ...request, responseFormat: responseFormat && { ...responseFormat, ...flag } }
  return {
    ...request,
    messages: messages.map((message) =>
      message.role === 'tool'
        ? { ...message, content: message.content.map((result) => ({ ...result, ...flag })) }
        : message,
    ),
  }
}

/** Each value gives another request, a warning about the field, or a rejection that names it. */
async function expectDistinct<Field extends keyof SuiteRequest>(
  world: SuiteWorld,
  record: CapabilityRecord,
  field: Field,
  values: readonly SuiteRequest[Field][],
) {
  const sent = new Map<string, unknown>()
  const same: unknown[] = []
  for (const value of values) {
    const outcome = await sentFor(world, record, { ...record.request, [field]: value }).catch((error: unknown) => error)
    if (outcome instanceof ProviderError && outcome.failure === 'invalid_request') {
      expect(outcome.field).toContain(field)
      continue
    }
    if (outcome instanceof Error) throw outcome
    const { sent: body, answer } = outcome as Awaited<ReturnType<typeof sentFor>>
    if (answer.warnings?.some((warning) => warning.field?.startsWith(field))) continue
    if (sent.has(body)) same.push([sent.get(body), value])
    sent.set(body, value)
  }
  expect(same).toEqual([])
}
