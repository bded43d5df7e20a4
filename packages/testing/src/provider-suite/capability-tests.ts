import { type RecordedReply, replaying, replyPieces, startReply } from '../fakes/recorded-exchange.ts'
import {
  type AnswerPart,
  type Message,
  ProviderError,
  type TextAnswer,
  type ToolCallPart,
  providerResponses,
} from '@fairlead/core/provider'
import { expect } from 'vitest'
import { type CapabilityRecord, isAbout, toolCalls, whyUnneeded } from './capability-records.ts'
import { capabilities } from './capability-requests.ts'
import { expectSurvival } from './fault-tests.ts'
import { expectRequest } from './replay-tests.ts'
import { withBrokenInput } from './reply-variants.ts'
import { lastBodies, objectsIn, sentFor } from './sent-request.ts'
import { methodOf } from './suite-options.ts'
import type { SuiteTester } from './suite-tester.ts'
import type { SuiteWorld } from './suite-world.ts'

/** Every capability of the listed models has a replay. */
export function capabilityContractTests(tester: SuiteTester): void {
  for (const capability of capabilities) {
    const records = tester.capabilities.filter((record) => record.capability === capability)
    tester.test(
      `has a replay of ${capability}`,
      async ({ provider }) => {
        const needed = (['text', 'stream'] as const).filter((kind) => provider[methodOf[kind]])
        const recorded = records.map(({ kind }) => kind)
        const missing = needed.map((kind) => `capabilities.${capability}.${kind}`).join(' and ')
        expect(recorded, `the suite needs ${missing}: record them, or skip this test with a reason`).toEqual(needed)
        const others = records.filter((record) => !isAbout[capability](record)).map(({ kind }) => kind)
        expect(
          others,
          `neither the request nor the answer of these exchanges shows ${capability}; if the API lacks it, skip this test with the reason`,
        ).toEqual([])
      },
      (provider) =>
        tester.replays.length === 0 ? 'it calls no HTTP API' : whyUnneeded(provider, capability, tester.capabilities),
    )
  }
}

/** How a provider maps the requests and replies of a capability. */
export function capabilityTests(tester: SuiteTester, record: CapabilityRecord): void {
  const name = `${record.capability}, ${record.kind}`
  tester.test(`sends the documented request with its key (${name})`, (world) => expectRequest(world, record))
  tester.test(`reads the documented reply (${name})`, (world) => expectAnswer(world, record))
  if (record.failure) return
  tester.slowTest(`fails with retry if its reply is truncated (${name})`, (world) => expectNoPart(world, record))
  if (record.capability === 'ownBlocks') {
    tester.test(`sends blocks of its own API back as they came (${record.kind})`, (world) =>
      expectReturned(world, record),
    )
  }
  const [call] = toolCalls(record.answer)
  const broken =
    record.capability === 'tool' && call ? withBrokenInput(record.exchange.reply, call.input ?? {}) : undefined
  if (call && broken) {
    tester.test(`returns the text of an input that is not a JSON object (${name})`, (world) =>
      expectRawInput(world, record, broken, call),
    )
  }
  if (record.capability !== 'tool' && record.capability !== 'reasoning') return
  tester.slowTest(`survives every wrong type in the reply (${name})`, (world) =>
    expectSurvival(world, record, [null, 'x']),
  )
}

/** The answer, as core validates it. */
async function expectAnswer(world: SuiteWorld, record: CapabilityRecord) {
  const { answer: expected, failure } = record
  world.answer(record, replaying(record.exchange.reply))
  const outcome = await world.ask(record.kind, record.request).catch((error: unknown) => error)
  if (failure) {
    expect(outcome).toBeInstanceOf(ProviderError)
    expect((outcome as ProviderError).failure).toBe(failure)
    return
  }
  if (outcome instanceof Error) throw outcome
  const { parts, ...answer } = providerResponses.text.parse(outcome)
  const { parts: expectedParts = [], ...rest } = expected
  expect(parts.map(withoutNative)).toEqual(expectedParts.map(withoutNative))
  expect(answer).toMatchObject(rest)
  const calls = parts.filter((part) => part.type === 'tool_call')
  expect(new Set(calls.map(({ id }) => id)).size).toBe(calls.length)
  if (calls.length > 0) expect(answer.finishReason).toBe('tool_calls')
}

/** The next turn of the conversation has each block unchanged, wherever its API takes it. */
async function expectReturned(world: SuiteWorld, record: CapabilityRecord) {
  world.answer(record, replaying(record.exchange.reply))
  const { parts } = await world.ask(record.kind, record.request)
  const content = parts.filter((part) => part.type === 'text' || part.type === 'opaque')
  const asked: Message = { role: 'user', content: [{ type: 'text', text: 'And the second longest?' }] }
  const messages: readonly Message[] = [...record.request.messages, { role: 'assistant', content }, asked]
  await sentFor(world, record, { ...record.request, messages })
  const sent = objectsIn(lastBodies(world))
  for (const part of parts) if (part.type === 'opaque') expect(sent).toContainEqual(part.data)
}

/** The input lacks its last brace. The call is paid for, so it is an answer and not a failure. */
async function expectRawInput(world: SuiteWorld, record: CapabilityRecord, reply: RecordedReply, call: ToolCallPart) {
  world.answer(record, replaying(reply))
  const { parts, finishReason } = providerResponses.text.parse(await world.ask(record.kind, record.request))
  const found = parts.filter((part) => part.type === 'tool_call')
  expect(found).toMatchObject([{ name: call.name, inputText: expect.stringMatching(/[^}]$/) }])
  expect(found[0]).not.toHaveProperty('input')
  expect(JSON.parse(`${found[0]?.inputText}}`)).toEqual(call.input)
  expect(finishReason).toBe('tool_calls')
}

/** The beginning of a reply, cut between its pieces and within each, is a failure or the complete answer. */
async function expectNoPart(world: SuiteWorld, record: CapabilityRecord) {
  const pieces = replyPieces(record.exchange.reply)
  const cuts = pieces.flatMap((piece, index) => {
    const before = Buffer.concat(pieces.slice(0, index))
    return [before, Buffer.concat([before, piece.subarray(0, piece.length / 2)])]
  })
  const complete = (record.answer.parts ?? []).map(withoutNative)
  for (const beginning of cuts) {
    world.answer(record, (response) => {
      startReply(response, record.exchange.reply)
      response.end(beginning)
    })
    const outcome = await world.ask(record.kind, record.request).catch((error: unknown) => error)
    if (outcome instanceof Error) expect(outcome).toMatchObject({ name: 'ProviderError', failure: 'retry' })
    else expect((outcome as TextAnswer).parts.map(withoutNative)).toEqual(complete)
  }
}

/** The content of a part that every API has. The fields of a single API are the provider's to test. */
function withoutNative(part: AnswerPart): object {
  if (part.type === 'opaque') return part
  const { native: _native, ...others } = part
  if (others.type !== 'text' || !others.citations) return others
  return { ...others, citations: others.citations.map(({ native: _own, ...citation }) => citation) }
}
