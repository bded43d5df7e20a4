import { testStores } from '../fakes/own-features.ts'
import { createFairlead } from '@fairlead/core'
import type { Model, Provider } from '@fairlead/core/provider'
import { expect } from 'vitest'
import { fetchModels, parseSize } from './ask-provider.ts'
import type { SuiteTester } from './suite-tester.ts'
import type { SuiteWorld } from './suite-world.ts'

/** Tests a provider's statements about its models, analyzers, and capacities. */
export function modelTests(tester: SuiteTester): void {
  const isAlone = tester.replays.length === 0
  const whyNot = ({ models }: Provider) =>
    typeof models === 'function' && !isAlone ? 'it fetches its models from the upstream' : undefined
  tester.test('lists models that core accepts unchanged', expectAccepted, whyNot)
  tester.test('describes its models without contradictions', expectConsistent, whyNot)
}

async function expectAccepted({ provider }: SuiteWorld) {
  const complaints: unknown[] = []
  const complain = (facts: unknown, message: string) => void complaints.push({ facts, message })
  const { close: _close, ...unclosed } = provider
  const core = createFairlead({
    providers: [unclosed],
    log: { error: complain, warn: complain },
    stores: testStores(),
  })
  const listed = await core.models.list()
  expect(complaints).toEqual([])
  expect(listed.map(({ id }) => id)).toEqual((await fetchModels(provider)).map(({ id }) => id))
}

async function expectConsistent({ provider }: SuiteWorld) {
  const models = await fetchModels(provider)
  const contradictions = [
    ...models.flatMap((model) => findContradictions(model, provider)),
    ...repeated(models.map(({ id }) => id)).map((id) => `${id} is listed twice`),
    ...ofAnalyzers(provider),
    ...ofCapacities(provider, models),
  ]
  expect(contradictions).toEqual([])
}

function findContradictions(model: Model, provider: Provider): readonly string[] {
  const { id, type, maxTokens, pricing } = model
  const embeds = type === 'text' && model.embedding !== undefined
  const generateText = embeds ? provider.embed : (provider.generateText ?? provider.streamText)
  const method = type === 'text' ? generateText : provider.generateImage
  const limit = (type === 'text' && model.contextSize) || Infinity
  const longFrom = pricing?.longPrompts?.above ?? 0
  return [
    method ? '' : `${id} is a model of type ${type}, for which the provider has no method`,
    maxTokens > limit ? `${id} has a larger maxTokens than contextSize` : '',
    longFrom >= limit ? `${id} has a price for prompts that exceed its contextSize` : '',
    type === 'text' && model.streaming && !provider.streamText ? `${id} claims to stream; there is no streamText` : '',
    type === 'text' && (model.tools || model.vision) && !model.chat
      ? `${id} takes tools or images, and no messages`
      : '',
    type === 'image' && repeated(model.sizes).length > 0 ? `${id} lists a size twice` : '',
    type === 'image' && model.sizes.some((size) => !(parseSize(size).width > 0)) ? `${id} has an invalid size` : '',
  ].filter((contradiction) => contradiction !== '')
}

function ofAnalyzers({ analyzers = [], analyze }: Provider): readonly string[] {
  return [
    analyzers.length > 0 && !analyze ? 'it lists analyzers and has no method analyze' : '',
    analyzers.length === 0 && analyze ? 'it has a method analyze and lists no analyzers' : '',
    ...repeated(analyzers.map(({ id }) => id)).map((id) => `the analyzer ${id} is listed twice`),
    ...analyzers.map(({ id, tasks }) =>
      Object.values(tasks).some((languages) => languages.length > 0) ? '' : `the analyzer ${id} has no task`,
    ),
  ].filter((contradiction) => contradiction !== '')
}

function ofCapacities({ capacities = [], analyzers = [] }: Provider, models: readonly Model[]): readonly string[] {
  const known = [...models, ...analyzers].map(({ id }) => id)
  const unknown = capacities.flatMap(({ ids = [] }) => ids.filter((id) => !known.includes(id)))
  return unknown.map((id) => `a capacity names ${id}, which is not listed`)
}

function repeated(values: readonly string[]): readonly string[] {
  return values.filter((value, index) => values.indexOf(value) !== index)
}
