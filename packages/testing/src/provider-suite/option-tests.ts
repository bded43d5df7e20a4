import {
  type AnswerPart,
  type Message,
  type ProviderOptions,
  type SentAnswerPart,
  providerResponses,
} from '@fairlead/core/provider'
import { expect } from 'vitest'
import { type CapabilityRecord, toolCalls } from './capability-records.ts'
import { essentialTexts, expectSent } from './conversation-tests.ts'
import { expectSentOrWarned, sentFor, textsIn } from './sent-request.ts'
import type { SuiteTester } from './suite-tester.ts'
import type { SuiteWorld } from './suite-world.ts'

/** Every entry of `providerOptions` is sent, named in a warning, or meant for another provider. */
export function optionTests(tester: SuiteTester, record: CapabilityRecord): void {
  const { capability, kind, answer, failure } = record
  if (capability === 'chat') {
    tester.test(`sends providerOptions or warns (${kind})`, (world) => expectOptions(world, record))
    tester.test(`sends the providerOptions of a text or warns (${kind})`, (world) => expectTextOptions(world, record))
  }
  if (capability === 'tool') {
    tester.test(`sends the providerOptions of a tool or warns (${kind})`, (world) => expectToolOptions(world, record))
  }
  if (failure || answer.parts?.every(({ type }) => type === 'text') !== false) return
  tester.test(`sends its own answer back (${capability}, ${kind})`, (world) => expectReturned(world, record))
}

const [name, value] = ['suite_option', 'the value of an option']
const ofAnother = 'the option of another provider'

function optionsFor({ provider }: SuiteWorld): { readonly providerOptions: ProviderOptions } {
  return { providerOptions: { [provider.id]: { [name]: value }, 'another-provider': { [name]: ofAnother } } }
}

async function expectOptions(world: SuiteWorld, record: CapabilityRecord) {
  await expectOptionSent(world, record, { ...record.request, ...optionsFor(world) })
}

async function expectTextOptions(world: SuiteWorld, record: CapabilityRecord) {
  const [first, ...others] = record.request.messages
  const content = first!.content.map((part) => ({ ...part, ...optionsFor(world) }))
  const messages = [{ ...first, content } as Message, ...others]
  await expectOptionSent(world, record, { ...record.request, messages })
}

async function expectToolOptions(world: SuiteWorld, record: CapabilityRecord) {
  const tools = record.request.tools?.map((tool) => ({ ...tool, ...optionsFor(world) }))
  await expectOptionSent(world, record, { ...record.request, tools })
}

async function expectOptionSent(world: SuiteWorld, record: CapabilityRecord, request: CapabilityRecord['request']) {
  const { sent, answer } = await sentFor(world, record, request)
  const isWarned = answer.warnings?.some(({ field, issue }) => `${field} ${issue}`.includes(name))
  expectSentOrWarned(name, sent.includes(value), isWarned)
  expect(sent).not.toContain(ofAnother)
}

/** The next request has all that the upstream returned, as after core has stored it. */
async function expectReturned(world: SuiteWorld, record: CapabilityRecord) {
  const { answer } = await sentFor(world, record, record.request)
  const { parts } = providerResponses.text.parse(answer)
  // Requests have refusals as texts, and no files.
  const returned = (parts as readonly AnswerPart[]).flatMap((part): readonly SentAnswerPart[] => {
    if (part.type === 'file') return []
    return part.type === 'refusal' ? [{ ...part, type: 'text' }] : [part]
  })
  const messages = [...record.request.messages, { role: 'assistant', content: returned } as const, answerTo(returned)]
  await sentFor(world, record, { ...record.request, messages })
  expectSent(world, [
    ...essentialTexts([record.request.messages, record.request.tools]),
    ...essentialTexts(returned.filter(({ type }) => type !== 'reasoning').map(withoutOptions)),
    ...returned.flatMap((part) => textsIn('providerOptions' in part && part.providerOptions?.[world.provider.id])),
  ])
}

function withoutOptions(part: SentAnswerPart): object {
  if (part.type === 'opaque') return part.data
  const { providerOptions: _options, native: _native, ...others } = part
  return others.type === 'text' ? { type: others.type, text: others.text } : others
}

function answerTo(parts: readonly SentAnswerPart[]): Message {
  const results = toolCalls({ parts }).map(({ id, name: tool }) => {
    return {
      type: 'tool_result',
      toolCallId: id,
      name: tool,
      content: [{ type: 'text', text: `from ${tool}` }],
    } as const
  })
  return results.length > 0
    ? { role: 'tool', content: results }
    : { role: 'user', content: [{ type: 'text', text: 'Please go on.' }] }
}
