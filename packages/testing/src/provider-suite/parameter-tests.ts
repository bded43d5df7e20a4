import { type ImageModel, type Provider, ProviderError, type TextModel } from '@fairlead/core/provider'
import { expect } from 'vitest'
import { parseSize, type SuiteRequest } from './ask-provider.ts'
import {
  expectNoFalseWarning,
  expectSentOrWarned,
  lastBodies,
  lastSent,
  sentFor,
  textsIn,
  valuesIn,
} from './sent-request.ts'
import { type Change, changes } from './setting-changes.ts'
import type { SuiteTester } from './suite-tester.ts'
import type { KindReplay, SuiteWorld } from './suite-world.ts'

/** Fields whose defaults ask for nothing. */
const optional = ['topP', 'frequencyPenalty', 'presencePenalty', 'seed', 'stop'] as const

const schema = {
  type: 'object',
  properties: { moodOfTheDay: { type: 'string' } },
  required: ['moodOfTheDay'],
  additionalProperties: false,
}

/** Every setting of a request reaches the upstream, or the caller gets a warning. */
export function parameterTests(tester: SuiteTester, replay: KindReplay): void {
  const { kind } = replay
  for (const { field, from, to } of changes[kind]) {
    const [before, after] = [from, to].map((side) => JSON.stringify(side[field]) ?? 'its default')
    tester.test(`sends ${field} or warns (${kind}, ${before} to ${after})`, (world) =>
      expectHonored(world, replay, { field, from, to }),
    )
  }
  tester.test(`sends the whole ${inputField(kind)} or rejects it (${kind})`, (world) => expectWholeInput(world, replay))
  tester.test(`sends the same request after any other (${kind})`, (world) => expectNoTrace(world, replay))
  if (kind === 'analysis') return analysisTests(tester, replay)
  tester.test(
    `sends the requested model (${kind})`,
    (world) => expectModel(world, replay),
    (provider) => (otherModel(provider, replay) === undefined ? 'it lists no other model of this type' : undefined),
  )
  tester.test(`warns only about settings that were requested (${kind})`, (world) => expectNoWarning(world, replay))
  if (kind === 'image') return imageTests(tester, replay)
  for (const field of ['temperature', 'topP', 'frequencyPenalty', 'presencePenalty'] as const) {
    tester.test(`sends ${field} on one scale or warns (${kind})`, (world) => expectScale(world, replay, field))
  }
  tester.test(
    `sends the schema of a responseFormat or warns (${kind})`,
    (world) => expectSchema(world, replay),
    (provider) => (isStructured(provider, replay) ? undefined : 'its model is not listed as structured'),
  )
}

function imageTests(tester: SuiteTester, replay: KindReplay): void {
  const listSizes = (provider: Provider) => (findModel(provider, replay) as ImageModel | undefined)?.sizes ?? []
  tester.test(
    'sends the requested size',
    async (world) => {
      const sent: unknown[] = []
      for (const size of listSizes(world.provider)) {
        // The recorded image has another size, which core would reject.
        await sentFor(world, replay, { ...replay.request, ...parseSize(size) }).catch(() => {})
        sent.push(lastSent(world))
      }
      expect(new Set(sent).size).toBe(sent.length)
    },
    (provider) => (listSizes(provider).length > 1 ? undefined : 'its model has one size'),
  )
}

function analysisTests(tester: SuiteTester, replay: KindReplay): void {
  const listTasks = (provider: Provider) => {
    const analyzers = provider.analyzers ?? []
    const analyzer = analyzers.find(({ id }) => id === replay.request.analyzer) ?? analyzers[0]
    return Object.keys(analyzer?.tasks ?? {}) as NonNullable<SuiteRequest['tasks']>
  }
  tester.test(
    'requests each analysis task, or returns it',
    async (world) => {
      const outcomes: { task: string; sent: string; isReturned: boolean }[] = []
      for (const task of listTasks(world.provider)) {
        const request = { ...replay.request, tasks: [task] }
        const isReturned = await sentFor(world, replay, request).then(
          ({ answer }) => Object.keys(answer.analysis ?? {}).includes(task),
          () => false,
        )
        outcomes.push({ task, sent: lastSent(world), isReturned })
      }
      const isRequested = (sent: string) => outcomes.filter((other) => other.sent === sent).length === 1
      const ignored = outcomes.filter(({ sent, isReturned }) => !isReturned && !isRequested(sent))
      expect(ignored.map(({ task }) => task)).toEqual([])
    },
    (provider) => (listTasks(provider).length > 1 ? undefined : 'its analyzer has one task'),
  )
}

function inputField(kind: KindReplay['kind']): 'prompt' | 'text' {
  return kind === 'analysis' ? 'text' : 'prompt'
}

/** Has a beginning, a middle, and an end that a provider might cut or tidy. */
const longInput = `  Begin\n${'a long text, '.repeat(600)}\t"middle" 世界 ${'and on, '.repeat(600)}the end.\n `

async function expectWholeInput(world: SuiteWorld, replay: KindReplay) {
  const field = inputField(replay.kind)
  const outcome = await sentFor(world, replay, { ...replay.request, [field]: longInput }).catch(
    (error: unknown) => error,
  )
  if (outcome instanceof ProviderError) {
    expect(outcome.failure).toMatch(/^(invalid_request|too_long)$/)
    expect(outcome.field).toBe(field)
    return
  }
  const { answer } = outcome as Awaited<ReturnType<typeof sentFor>>
  const isWarned = answer.warnings?.some((warning) => warning.field === field)
  const texts = textsIn(lastBodies(world))
  const isSent = [...texts, texts.join('')].some((text) => text.includes(longInput))
  expectSentOrWarned(field, isSent, isWarned)
}

/** A request with every setting, and then a plain one on the same provider. */
async function expectNoTrace(world: SuiteWorld, replay: KindReplay) {
  const fresh = await sentFor(world, replay, replay.request, await world.another())
  const settings = Object.assign({}, ...changes[replay.kind].map(({ to }) => to)) as SuiteRequest
  await sentFor(world, replay, { ...replay.request, ...settings }).catch(() => {})
  const after = await sentFor(world, replay, replay.request)
  expect({ sent: after.sent, warnings: after.answer.warnings }).toEqual({
    sent: fresh.sent,
    warnings: fresh.answer.warnings,
  })
}

async function expectHonored(world: SuiteWorld, replay: KindReplay, { field, from, to }: Change) {
  const { [field]: _plain, ...request } = replay.request
  const plain = await sentFor(world, replay, { ...request, ...from })
  const values = valuesIn(lastBodies(world))
  const changed = await sentFor(world, replay, { ...request, ...to })
  const added = [...valuesIn(lastBodies(world))].filter(([path, value]) => values.get(path) !== value)
  // A value that is dropped gives another request than the value before it, but the same as none.
  const without = await sentFor(world, replay, { ...request, [field]: undefined })
  const isWarned = changed.answer.warnings?.some((warning) => warning.field === field)
  const wanted = [to[field]].flat().filter((value) => ![from[field]].flat().includes(value))
  const isWhole = wanted.every((value) => added.some(([, sent]) => sent === value))
  const isSent = changed.sent !== plain.sent && changed.sent !== without.sent && (isWhole || !isExact(field))
  expectSentOrWarned(field, isSent, isWarned)
  expectNoFalseWarning(field, isWhole, isWarned)
}

/** The scales of the other settings differ between APIs. */
function isExact(field: keyof SuiteRequest): boolean {
  return field === 'maxTokens' || field === 'seed' || field === 'stop'
}

const scales = {
  temperature: [0, 0.35, 1.3, 2],
  topP: [0, 0.25, 0.4, 1],
  frequencyPenalty: [-2, -1.1, 1.15, 2],
  presencePenalty: [-2, -1.2, 1.15, 2],
} as const

/** Numbers are sent on one line: not rounded, not cut off at an end of the range, and not in two units. */
async function expectScale(world: SuiteWorld, replay: KindReplay, field: keyof typeof scales) {
  const { [field]: _plain, ...request } = replay.request
  const points: { readonly given: number; readonly body: ReadonlyMap<string, unknown> }[] = []
  for (const given of scales[field]) {
    const { answer } = await sentFor(world, replay, { ...request, [field]: given })
    if (!answer.warnings?.some((warning) => warning.field === field)) {
      points.push({ given, body: valuesIn(lastBodies(world)) })
    }
  }
  for (const path of new Set(points.flatMap(({ body }) => [...body.keys()]))) {
    const numbers = points.flatMap(({ given, body }) => {
      const sent = body.get(path)
      return typeof sent === 'number' ? [{ given, sent }] : []
    })
    const [first, ...others] = numbers
    const slopes = others.map(({ given, sent }) => (sent - first!.sent) / (given - first!.given))
    const isEven = slopes.every((slope) => Math.abs(slope - slopes[0]!) < 1e-6)
    const shown = numbers.map(({ given, sent }) => `${given} as ${sent}`).join(', ')
    expect(isEven, `${field} is sent on more than one scale: ${shown}`).toBe(true)
  }
}

async function expectSchema(world: SuiteWorld, replay: KindReplay) {
  const responseFormat = { type: 'json_schema', name: 'mood', schema } as const
  const { sent, answer } = await sentFor(world, replay, { ...replay.request, responseFormat })
  const isWarned = answer.warnings?.some(({ field }) => field === 'responseFormat')
  const isSent = sent.includes('moodOfTheDay')
  expectSentOrWarned('responseFormat', isSent, isWarned)
}

/** The recorded reply may not fit the other model: only the requests are compared. */
async function expectModel(world: SuiteWorld, replay: KindReplay) {
  const sent: string[] = []
  for (const model of [replay.request.model, otherModel(world.provider, replay)]) {
    await sentFor(world, replay, { ...replay.request, ...(model !== undefined && { model }) }).catch(() => {})
    sent.push(lastSent(world))
  }
  expect(sent[1]).not.toEqual(sent[0])
}

async function expectNoWarning(world: SuiteWorld, replay: KindReplay) {
  const request: SuiteRequest = { ...replay.request }
  for (const field of optional) delete (request as Record<string, unknown>)[field]
  const { warnings = [] } = (await sentFor(world, replay, request)).answer
  const fields = warnings.map(({ field }) => field)
  expect(fields.filter((field) => (optional as readonly unknown[]).includes(field))).toEqual([])
}

function listed({ models }: Provider, { kind }: KindReplay) {
  const type = kind === 'image' ? 'image' : 'text'
  return typeof models === 'function' ? [] : models.filter((model) => model.type === type)
}

function findModel(provider: Provider, replay: KindReplay) {
  const models = listed(provider, replay)
  return models.find(({ id }) => id === replay.request.model) ?? models[0]
}

function otherModel(provider: Provider, replay: KindReplay): string | undefined {
  const asked = replay.request.model ?? findModel(provider, replay)?.id
  return listed(provider, replay).find((model) => model.id !== asked && !('embedding' in model))?.id
}

function isStructured(provider: Provider, replay: KindReplay): boolean {
  return (findModel(provider, replay) as TextModel | undefined)?.structured === true
}
