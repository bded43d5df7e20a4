import type { UpstreamRequest } from '../fakes/test-upstream.ts'
import { replaying } from '../fakes/recorded-exchange.ts'
import { withinASecond } from '../fakes/event-loop.ts'
import {
  type Provider,
  ProviderError,
  checkPng,
  lastPrompt,
  providerResponses,
  answerText,
} from '@fairlead/core/provider'
import { expect } from 'vitest'
import { filledIn, fetchModels, type SuiteRequest, suiteCall } from './ask-provider.ts'
import { expectVectors } from './embedding-tests.ts'
import { methodOf, type SuiteKind, suiteKinds } from './suite-options.ts'
import type { SuiteTester } from './suite-tester.ts'
import { expectAborted, expectReason, expectShortBlocks, rejection, type SuiteWorld } from './suite-world.ts'

const needsReplay = 'it calls an HTTP API: its replays test this'

/** The duties of every provider, whatever is behind it. */
export function contractTests(tester: SuiteTester): void {
  const { replays } = tester
  const isAlone = replays.length === 0
  const hasNo = (kind: SuiteKind) => (provider: Provider) =>
    provider[methodOf[kind]] ? undefined : `it has no ${methodOf[kind]}`
  const alone = (kind: SuiteKind) => (provider: Provider) => (isAlone ? hasNo(kind)(provider) : needsReplay)
  const requestOf = (kind: SuiteKind) =>
    replays.find((replay) => replay.kind === kind)?.request ?? tester.requestOf(kind)

  for (const kind of suiteKinds) {
    tester.test(
      `has a replay for ${methodOf[kind]}`,
      async () => {
        const recorded = replays.map((replay) => replay.kind)
        expect(recorded, `the suite needs replay.${kind}: record it, or skip this test with a reason`).toContain(kind)
      },
      (provider) => (isAlone ? 'it calls no HTTP API' : hasNo(kind)(provider)),
    )
    tester.test(
      `starts no work for an aborted call (${kind})`,
      async (world) => {
        const reason = new Error('the caller left')
        await expectAborted(world.ask(kind, requestOf(kind), { signal: AbortSignal.abort(reason) }), reason)
        expect(world.upstream.requests).toEqual([])
      },
      hasNo(kind),
    )
    tester.test(
      `stops within a second of an abort (${kind})`,
      (world) => expectEnd(world, kind, requestOf(kind)),
      alone(kind),
    )
    tester.slowTest(
      `does not block the event loop for more than 50 ms (${kind})`,
      (world) => expectShortBlocks(() => world.ask(kind, requestOf(kind))),
      alone(kind),
    )
  }

  tester.test('returns a text', (world) => expectText(world, 'text', requestOf('text')), alone('text'))
  tester.test('streams a text', (world) => expectText(world, 'stream', requestOf('stream')), alone('stream'))
  tester.test('returns a PNG of the requested size', (world) => expectImage(world, requestOf('image')), alone('image'))
  tester.test(
    'returns the requested analyses',
    (world) => expectAnalysis(world, requestOf('analysis')),
    alone('analysis'),
  )
  tester.test(
    'returns a vector for each text, whatever their order',
    (world) => expectVectors(world, requestOf('embedding')),
    alone('embedding'),
  )
  for (const kind of ['text', 'stream'] as const) {
    tester.test(
      `ends with length when maxTokens is reached (${kind})`,
      async (world) => {
        const { finishReason, usage } = await world.ask(kind, { ...requestOf(kind), maxTokens: 1 })
        expect(finishReason).toBe('length')
        expect(usage?.completionTokens ?? 1).toBeLessThanOrEqual(1)
      },
      alone(kind),
    )
    tester.test(
      `names the stop sequence that ended the text (${kind})`,
      (world) => expectStopSequence(world, kind, requestOf(kind)),
      alone(kind),
    )
    tester.test(
      `counts more tokens for a longer prompt (${kind})`,
      (world) => expectCounted(world, kind, requestOf(kind)),
      alone(kind),
    )
  }
  tester.test('reveals no secret in its description', async (world) => void world.inspect({ ...world.provider }))
  upstreamTests(tester)
  tester.test('closes, also twice', async ({ provider }) => {
    await provider.close?.()
    await expect(Promise.resolve(provider.close?.())).resolves.toBeUndefined()
  })
}

/** How the model list and the health check treat an upstream. */
function upstreamTests(tester: SuiteTester): void {
  const whyNot = tester.replays.length === 0 ? 'it calls no HTTP API' : undefined
  const ofModels = (provider: Provider) => (typeof provider.models === 'function' ? whyNot : 'its models are a list')
  const ofHealth = (provider: Provider) => (provider.health ? whyNot : 'it has no health')
  const listModels = ({ provider }: SuiteWorld, signal?: AbortSignal) => fetchModels(provider, signal)
  const checkHealth = async ({ provider }: SuiteWorld, signal?: AbortSignal) =>
    provider.health?.(suiteCall('health', signal))
  tester.test('hangs up when its model list is aborted', (world) => expectHungUp(world, tester, listModels), ofModels)
  tester.test(
    'hangs up when its health check is aborted',
    (world) => expectHungUp(world, tester, checkHealth),
    ofHealth,
  )
  tester.test(
    'reveals no secret when its model list is refused',
    (world) => expectHidden(world, tester, listModels),
    ofModels,
  )
  tester.test(
    'reveals no secret when its health check is refused',
    (world) => expectHidden(world, tester, checkHealth),
    ofHealth,
  )
  tester.test(
    'fails its health check when the upstream hangs up',
    async (world) => {
      world.answerAll(tester.replays, (response) => void response.destroy())
      await expect(checkHealth(world)).rejects.toBeInstanceOf(ProviderError)
    },
    ofHealth,
  )
}

type Ask = (world: SuiteWorld, signal?: AbortSignal) => Promise<unknown>

async function expectHungUp(world: SuiteWorld, { replays }: SuiteTester, ask: Ask) {
  const controller = new AbortController()
  const reason = new Error('the time is up')
  const reached = Promise.withResolvers<UpstreamRequest>()
  world.answerAll(replays, (_response, request) => reached.resolve(request))
  const asked = ask(world, controller.signal)
  asked.catch(() => {})
  const request = await Promise.race([reached.promise, asked.then(() => undefined)])
  // It did not need the upstream.
  if (!request) return
  controller.abort(reason)
  await expectAborted(asked, reason)
  expect(await withinASecond(request.hungUp)).toBeUndefined()
}

/** The request may lack the key, but the error must not reveal it. */
async function expectHidden(world: SuiteWorld, { replays }: SuiteTester, ask: Ask) {
  const echo = `you sent ${world.apiKey}`
  world.answerAll(replays, replaying({ status: 401, json: { error: { message: echo } } }))
  world.inspect(await ask(world).catch((caught: unknown) => caught))
}

/** Work that has ended, in whatever way, is not abandoned. */
async function expectEnd(world: SuiteWorld, kind: SuiteKind, request: SuiteRequest) {
  const controller = new AbortController()
  const reason = new Error('the caller left')
  const ended = world.ask(kind, request, { signal: controller.signal }).then(
    () => rejection(reason, reason),
    (error: unknown) => rejection(error, reason),
  )
  await new Promise((resolve) => setImmediate(resolve))
  controller.abort(reason)
  expectReason(await withinASecond(ended))
}

async function expectText(world: SuiteWorld, kind: 'text' | 'stream', request: SuiteRequest) {
  const { maxTokens } = await filledIn(world.provider, kind, request)
  const answer = providerResponses.text.parse(await world.ask(kind, request))
  expect(answerText(answer)).not.toBe('')
  expect(answer.usage?.completionTokens ?? 0).toBeLessThanOrEqual(maxTokens)
}

/** Every text that the provider could write has one of the sequences: they are characters of its first text. */
async function expectStopSequence(world: SuiteWorld, kind: 'text' | 'stream', request: SuiteRequest) {
  const first = answerText(await world.ask(kind, request))
  const stop = [...new Set(first)].slice(0, 4)
  const { finishReason, stopSequence, parts } = await world.ask(kind, { ...request, stop })
  expect({ finishReason, stopSequence }).toEqual({ finishReason: 'stop', stopSequence: expect.toBeOneOf(stop) })
  expect(stop.filter((sequence) => answerText({ parts }).includes(sequence))).toEqual([])
}

async function expectCounted(world: SuiteWorld, kind: 'text' | 'stream', request: SuiteRequest) {
  const prompt = lastPrompt(await filledIn(world.provider, kind, request))
  const short = await world.ask(kind, request)
  const { messages: _messages, ...settings } = request
  const long = await world.ask(kind, { ...settings, prompt: `${prompt} ${prompt} ${prompt}` })
  if (short.usage) expect(long.usage?.promptTokens).toBeGreaterThan(short.usage.promptTokens)
}

async function expectImage(world: SuiteWorld, request: SuiteRequest) {
  const size = await filledIn(world.provider, 'image', request)
  const { png } = providerResponses.image.parse(await world.ask('image', request))
  expect(() => checkPng(png, size)).not.toThrow()
}

async function expectAnalysis(world: SuiteWorld, request: SuiteRequest) {
  const { tasks } = await filledIn(world.provider, 'analysis', request)
  const { analysis } = providerResponses.analysis.parse(await world.ask('analysis', request))
  expect(Object.keys(analysis)).toEqual(expect.arrayContaining([...tasks]))
}
