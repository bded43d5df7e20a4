import { expect } from 'vitest'
import { createFairlead } from '../../create-fairlead.ts'
import { checkPng } from '../../gateway/ask-provider.ts'
import { providerAnswers } from '../../gateway/ask-provider.ts'
import type { Provider } from '../../gateway/provider.ts'
import { ProviderError } from '../../gateway/provider-error.ts'
import { memoryStores } from '../../memory-stores.ts'
import { replaying } from '../recorded-exchange.ts'
import type { UpstreamRequest } from '../test-upstream.ts'
import { askProvider, filledIn, modelsOf, suiteCall } from './ask-provider.ts'
import { expectNoSecret } from './expect-failure.ts'
import { expectLeft } from './expect-left.ts'
import { type SuiteKind, suiteKinds } from './suite-options.ts'
import type { SuiteTester, SuiteWorld } from './suite-tester.ts'

const overHttp = 'it speaks to a foreign API: replays show its answers'

/** What holds for every provider, whatever is behind it. */
export function contractTests(tester: SuiteTester): void {
  const isAlone = tester.replays.length === 0
  const answering = (kind: SuiteKind) => (provider: Provider) => (isAlone ? whyNot(kind)(provider) : overHttp)

  tester.test('lists models that core takes as they are', expectModels, (provider) =>
    typeof provider.models === 'function' && !isAlone ? 'it asks its upstream for them' : undefined,
  )

  tester.test('answers with text', (world) => expectText(world, 'text', tester), answering('text'))
  tester.test('streams text and then its finish', (world) => expectText(world, 'stream', tester), answering('stream'))
  tester.test('makes a PNG of the size asked for', (world) => expectImage(world, tester), answering('image'))
  tester.test('finds what it is asked for', (world) => expectAnalysis(world, tester), answering('analysis'))

  for (const kind of suiteKinds) {
    tester.test(
      `begins nothing for a caller who has left (${kind})`,
      async ({ provider, upstream }) => {
        const reason = new Error('the caller left')
        const request = tester.replays.find((replay) => replay.kind === kind)?.request ?? tester.requestOf(kind)
        await expectLeft(askProvider(provider, kind, request, AbortSignal.abort(reason)), reason)
        expect(upstream.requests).toEqual([])
      },
      whyNot(kind),
    )
  }

  const ofForeign = isAlone ? 'it speaks to no foreign API' : undefined
  const listed = (world: SuiteWorld) => expectHungUp(world, (signal) => modelsOf(world.provider, signal))
  const ofModels = (provider: Provider) => (typeof provider.models === 'function' ? ofForeign : 'its models are a list')
  tester.test('hangs up when its models are no longer waited for', listed, ofModels)
  const checked = (world: SuiteWorld) =>
    expectHungUp(world, async (signal) => world.provider.health?.(suiteCall(signal)))
  const ofHealth = (provider: Provider) => (provider.health ? ofForeign : 'it has no health')
  tester.test('hangs up when its health is no longer waited for', checked, ofHealth)
  tester.test('is not well when its upstream hangs up', expectUnwell, ofHealth)
  const refusedList = (world: SuiteWorld) => expectHidden(world, () => modelsOf(world.provider))
  tester.test('tells no secret where it may not list its models', refusedList, ofModels)
  const refusedHealth = (world: SuiteWorld) => expectHidden(world, async () => world.provider.health?.(suiteCall()))
  tester.test('tells no secret where it may not ask for its health', refusedHealth, ofHealth)

  tester.test('closes, more than once if need be', async ({ provider }) => {
    await provider.close?.()
    await expect(Promise.resolve(provider.close?.())).resolves.toBeUndefined()
  })
}

const methods = { text: 'generateText', stream: 'streamText', image: 'generateImage', analysis: 'analyze' } as const

function whyNot(kind: SuiteKind) {
  return (provider: Provider) => (provider[methods[kind]] ? undefined : `it has no ${methods[kind]}`)
}

async function expectModels({ provider }: SuiteWorld) {
  const complaints: unknown[] = []
  const complain = (facts: unknown, message: string) => void complaints.push({ facts, message })
  const { close: _close, ...unclosed } = provider
  const core = createFairlead({
    providers: [unclosed],
    log: { error: complain, warn: complain },
    stores: memoryStores(),
  })
  const listed = await core.models.list()
  expect(complaints).toEqual([])
  const models = await modelsOf(provider)
  expect(listed.map(({ id }) => id)).toEqual(models.map(({ id }) => id))
  const makes = { text: provider.generateText ?? provider.streamText, image: provider.generateImage }
  expect(
    models.filter(({ type }) => makes[type] === undefined).map(({ id, type }) => `${id} makes no ${type}`),
  ).toEqual([])
}

async function expectHungUp({ upstream }: SuiteWorld, ask: (signal: AbortSignal) => Promise<unknown>) {
  const controller = new AbortController()
  const reason = new Error('the time is up')
  const reached = Promise.withResolvers<UpstreamRequest>()
  upstream.answer((_response, request) => reached.resolve(request))
  const asked = ask(controller.signal)
  asked.catch(() => {})
  const request = await Promise.race([reached.promise, asked.then(() => undefined)])
  // What no upstream was asked for keeps nobody waiting.
  if (!request) return
  controller.abort(reason)
  await expectLeft(asked, reason)
  await request.hungUp
}

async function expectUnwell({ provider, upstream }: SuiteWorld) {
  upstream.answer((response) => void response.destroy())
  await expect(provider.health?.(suiteCall())).rejects.toBeInstanceOf(ProviderError)
}

/** It may do without its key there; what it says of a refusal must. */
async function expectHidden(world: SuiteWorld, ask: () => Promise<unknown>) {
  const echo = `you sent ${world.apiKey}`
  world.upstream.answer(replaying({ status: 401, json: { error: { message: echo } } }))
  expectNoSecret(await ask().catch((caught: unknown) => caught), world)
}

async function expectText({ provider }: SuiteWorld, kind: 'text' | 'stream', tester: SuiteTester) {
  const request = await filledIn(provider, kind, tester.requestOf(kind))
  const answer = providerAnswers.text.parse(await askProvider(provider, kind, request, suiteCall().signal))
  expect(answer.content).not.toBe('')
  expect(answer.usage?.completionTokens ?? 0).toBeLessThanOrEqual(request.maxTokens)
}

async function expectImage({ provider }: SuiteWorld, tester: SuiteTester) {
  const request = await filledIn(provider, 'image', tester.requestOf('image'))
  const { png } = providerAnswers.image.parse(await askProvider(provider, 'image', request))
  expect(() => checkPng(png, request)).not.toThrow()
}

async function expectAnalysis({ provider }: SuiteWorld, tester: SuiteTester) {
  const request = await filledIn(provider, 'analysis', tester.requestOf('analysis'))
  const { analysis } = providerAnswers.analysis.parse(await askProvider(provider, 'analysis', request))
  expect(Object.keys(analysis)).toEqual(expect.arrayContaining([...request.tasks]))
}
