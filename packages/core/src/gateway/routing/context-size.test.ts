import { describe, expect, test } from 'vitest'
import { operations } from '@fairlead/testing/workspace'
import { ProviderError, type Provider } from '../../provider.ts'
import { failing, scripted, sequenced, fakeTextModel, testCore } from '@fairlead/testing'

const tooLong = new ProviderError('too_long', 'too many tokens', { field: 'messages', detail: '9000 tokens > 8000' })

/** A model `smart` over these providers, whose model has a context of the given size. */
async function setup(...targets: readonly (readonly [Provider, number | undefined])[]) {
  const providers = targets.map(([provider, contextSize]) =>
    Object.assign(provider, {
      models: [fakeTextModel({ streaming: true, structured: true, ...(contextSize !== undefined && { contextSize }) })],
    }),
  )
  const world = await testCore({
    providers,
    routes: { smart: { targets: providers.map(({ id }) => `${id}/any`) } },
    circuit: { failures: 1 },
  })
  const generate = (input: object = {}) =>
    world.core.run(operations.generate, world.caller, { model: 'smart', prompt: 'x', ...input })
  return { ...world, generate }
}

/** About 2,000 tokens. */
const longPrompt = 'word '.repeat(1_600)

describe('context size', () => {
  test('routing by context size skips targets whose context is too small for the prompt and max_tokens', async () => {
    const small = sequenced('small', 'hello')
    const { generate } = await setup([small, 2_050], [scripted('large', 'hello'), 8_000])
    expect(await generate({ prompt: longPrompt, maxTokens: 100 })).toMatchObject({
      meta: { provider: 'large', attempts: 1 },
    })
    expect(await generate({ prompt: longPrompt, maxTokens: 50 })).toMatchObject({
      meta: { provider: 'small', attempts: 1 },
    })
  })

  test('routing by context size calls the target with the largest context when the prompt seems too long for all', async () => {
    const small = sequenced('small', 'hello')
    const { generate } = await setup([small, 500], [scripted('large', 'hello'), 1_000])
    expect(await generate({ prompt: longPrompt })).toMatchObject({ meta: { provider: 'large', attempts: 1 } })
  })

  test.each([{}, { stream: true }])(
    'routing by context size moves on to a larger target after too_long, with %j',
    async (input) => {
      const equal = sequenced('equal', 'hello')
      const { generate } = await setup(
        [sequenced('small', tooLong), 8_000],
        [equal, 8_000],
        [scripted('large', 'hi'), 9_000],
      )
      expect(await generate(input)).toMatchObject({ success: true, meta: { provider: 'large', attempts: 2 } })
      expect(equal.asked).toBe(0)
    },
  )

  test('routing by context size moves on to a target of unknown context size after too_long', async () => {
    const { generate } = await setup([sequenced('small', tooLong), 8_000], [scripted('other', 'hello'), undefined])
    expect(await generate()).toMatchObject({ success: true, meta: { provider: 'other', attempts: 2 } })
  })

  test('routing by context size moves on to a target that holds the request after it exceeded a limit of the account', async () => {
    const beyondLimit = new ProviderError('too_long', 'too large', { neededTokens: 8_000 })
    const { generate } = await setup(
      [sequenced('limited', beyondLimit), 128_000],
      [sequenced('small', 'hello'), 7_999],
      [scripted('enough', 'hi'), 8_000],
    )
    expect(await generate()).toMatchObject({ success: true, meta: { provider: 'enough', attempts: 2 } })
  })

  test('routing by context size returns 400 with the message of the upstream for a request beyond the limits of the account', async () => {
    const beyondLimit = new ProviderError('too_long', 'x', {
      neededTokens: 9_000,
      detail: 'Limit 6000, Requested 9000',
    })
    const { generate, fairlead } = await setup([sequenced('limited', beyondLimit, 'hello'), 128_000])
    expect(await generate()).toMatchObject({
      error: {
        code: 'INVALID_REQUEST',
        details: {
          reason: 'context_length_exceeded',
          issue: 'exceeds the provider\'s limits for model "smart": Limit 6000, Requested 9000',
        },
      },
    })
    expect(await generate()).toMatchObject({ success: true })
    expect(await fairlead.providers.list()).toMatchObject([{ targets: [{ circuit: 'closed', failures: 0 }] }])
  })

  test('routing by context size returns 400 with the field and the context size after too_long from a single target', async () => {
    const { core, caller } = await setup([sequenced('small', tooLong), 8_000])
    const issue = 'exceeds the context size of model "any" (8000 tokens): 9000 tokens > 8000'
    expect(await core.run(operations.generate, caller, { model: 'any', prompt: 'x' })).toMatchObject({
      error: {
        code: 'INVALID_REQUEST',
        message: `prompt ${issue}`,
        details: { field: 'prompt', issue, provider: 'small', attempts: 1 },
      },
    })
  })

  test('routing by context size returns 400 without a size when the context size is unknown', async () => {
    const { generate } = await setup([failing('small', 'too_long'), undefined])
    expect(await generate()).toMatchObject({
      error: { details: { field: 'prompt', issue: 'exceeds the context size of model "smart"' } },
    })
  })

  test('routing by context size names the field text in an analysis', async () => {
    const { core, caller } = await setup([failing('small', 'too_long'), 8_000])
    const reply = await core.run(operations.analyze, caller, { model: 'smart', text: 'x', tasks: ['sentiment'] })
    expect(reply).toMatchObject({ error: { code: 'INVALID_REQUEST', details: { field: 'text' } } })
  })

  test('routing by context size returns 503 while a larger target is unavailable', async () => {
    const { generate } = await setup([sequenced('small', tooLong), 8_000], [failing('large', 'give_up'), 9_000])
    await generate({ model: 'large/any' })
    expect(await generate()).toMatchObject({ error: { code: 'PROVIDER_UNAVAILABLE' }, retryAfterMs: 10_000 })
  })

  test('routing by context size returns the failure of a larger target rather than too_long', async () => {
    const { generate } = await setup([failing('large', 'give_up'), 9_000], [sequenced('small', tooLong), 8_000])
    expect(await generate()).toMatchObject({
      error: { code: 'PROVIDER_ERROR', details: { provider: 'large', attempts: 2 } },
    })
  })

  test('routing by context size does not count too_long as a failure of the target', async () => {
    const { generate, fairlead } = await setup([sequenced('small', tooLong), 8_000])
    await generate()
    expect(await fairlead.providers.list()).toMatchObject([{ targets: [{ circuit: 'closed', failures: 0 }] }])
  })

  test('routing by context size lists a route with the largest context size of its targets, if all are known', async () => {
    const known = await setup([scripted('small', 'x'), 4_000], [scripted('large', 'x'), 8_000])
    expect(await known.fairlead.models.get({ id: 'smart' })).toMatchObject({ capabilities: { contextSize: 8_000 } })
    const unknown = await setup([scripted('small', 'x'), 4_000], [scripted('large', 'x'), undefined])
    const { capabilities } = await unknown.fairlead.models.get({ id: 'smart' })
    expect(capabilities).not.toHaveProperty('contextSize')
  })
})
