import { expect } from 'vitest'
import type { Provider } from '../../gateway/provider.ts'
import type { TextModel } from '../../gateway/model.ts'
import { replaying } from '../recorded-exchange.ts'
import { answerInTurn } from './answer-in-turn.ts'
import { askProvider, type SuiteRequest } from './ask-provider.ts'
import type { KindReplay, SuiteTester, SuiteWorld } from './suite-tester.ts'

const text: SuiteRequest = {
  maxTokens: 47,
  temperature: 1.3,
  topP: 0.4,
  frequencyPenalty: 1.1,
  presencePenalty: -1.2,
  seed: 4_711,
  stop: ['\n\n'],
}

const changes: Readonly<Record<KindReplay['kind'], SuiteRequest>> = {
  text,
  stream: text,
  image: { quality: 'hd', style: 'vivid', seed: 4_711 },
  analysis: {},
}

/** Fields whose default asks for nothing. */
const neutral = ['topP', 'frequencyPenalty', 'presencePenalty', 'seed', 'stop'] as const

const responseSchema = { type: 'object', properties: { mood: { type: 'string' } }, required: ['mood'] }

/** Whatever is asked for reaches the upstream, or the caller is told that it does not. */
export function parameterTests(tester: SuiteTester, replay: KindReplay): void {
  const { kind } = replay
  for (const field of Object.keys(changes[kind]) as (keyof SuiteRequest)[]) {
    const change: Change = { field, from: {}, to: { [field]: changes[kind][field] } }
    tester.test(`drops no ${field} of ${kind} in silence`, (world) => expectHonoured(world, replay, change))
  }
  if (kind === 'analysis') return
  tester.test(
    `asks for the model of ${kind} that is meant`,
    (world) => expectModel(world, replay),
    (provider) => (otherModel(provider, replay) === undefined ? 'it lists no other model of that type' : undefined),
  )
  tester.test(`warns of nothing that nobody asked for (${kind})`, (world) => expectNoWarning(world, replay))
  if (kind === 'image') return
  const second: Change = { field: 'stop', from: { stop: ['END'] }, to: { stop: ['END', 'HALT'] } }
  tester.test(`drops no second stop of ${kind} in silence`, (world) => expectHonoured(world, replay, second))
  const schema: Change = { field: 'responseSchema', from: {}, to: { responseSchema } }
  tester.test(
    `drops no responseSchema of ${kind} in silence`,
    (world) => expectHonoured(world, replay, schema),
    (provider) => (isStructured(provider, replay) ? undefined : 'its model is not listed as structured'),
  )
}

interface Change {
  readonly field: keyof SuiteRequest
  readonly from: SuiteRequest
  readonly to: SuiteRequest
}

async function expectHonoured(world: SuiteWorld, replay: KindReplay, { field, from, to }: Change) {
  const { [field]: _plain, ...request } = replay.request
  const plain = await sentFor(world, replay, { ...request, ...from })
  const changed = await sentFor(world, replay, { ...request, ...to })
  const told = changed.warnings.some((warning) => warning.field === field)
  expect({ field, sentOrTold: changed.sent !== plain.sent || told }).toEqual({ field, sentOrTold: true })
}

async function sentFor({ provider, upstream }: SuiteWorld, replay: KindReplay, request: SuiteRequest) {
  answerInTurn(upstream, replay, replaying(replay.exchange.reply))
  const { warnings = [] } = await askProvider(provider, replay.kind, request)
  return { sent: JSON.stringify(upstream.requests.at(-1)?.body), warnings }
}

/** The recorded reply may be none of the other model: what it is made of counts for nothing here. */
async function expectModel({ provider, upstream }: SuiteWorld, replay: KindReplay) {
  answerInTurn(upstream, replay, replaying(replay.exchange.reply))
  const sent: unknown[] = []
  for (const model of [replay.request.model, otherModel(provider, replay)]) {
    await askProvider(provider, replay.kind, { ...replay.request, ...(model !== undefined && { model }) }).catch(
      () => {},
    )
    const { path, body } = upstream.requests.at(-1) ?? {}
    sent.push({ path, body })
  }
  expect(sent[1]).not.toEqual(sent[0])
}

async function expectNoWarning(world: SuiteWorld, replay: KindReplay) {
  const request: SuiteRequest = { ...replay.request }
  for (const field of neutral) delete (request as Record<string, unknown>)[field]
  const { warnings } = await sentFor(world, replay, request)
  const fields = warnings.map(({ field }) => field)
  expect(fields.filter((field) => (neutral as readonly unknown[]).includes(field))).toEqual([])
}

function listed({ models }: Provider, { kind }: KindReplay) {
  const type = kind === 'image' ? 'image' : 'text'
  return typeof models === 'function' ? [] : models.filter((model) => model.type === type)
}

function otherModel(provider: Provider, replay: KindReplay): string | undefined {
  const models = listed(provider, replay)
  const asked = replay.request.model ?? models[0]?.id
  return models.find(({ id }) => id !== asked)?.id
}

function isStructured(provider: Provider, replay: KindReplay): boolean {
  const models = listed(provider, replay) as readonly TextModel[]
  const asked = models.find(({ id }) => id === replay.request.model) ?? models[0]
  return asked?.structured === true
}
