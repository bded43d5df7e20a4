import { describe, expect, test, vi } from 'vitest'
import { embedder, failing, reader, scripted, fakeTextModel, testCore, type TestCoreOptions } from '@fairlead/testing'
import { operations } from '@fairlead/testing/workspace'
import type { KeyLimits } from './key-limits.ts'

const forbidden = (text: string) => ({ error: { code: 'FORBIDDEN', message: expect.stringContaining(text) } })

function createModels(provider: string, ...ids: readonly string[]) {
  return { ...scripted(provider, 'hello there'), models: ids.map((id) => fakeTextModel({ id })) }
}

/** A provider whose calls wait until they may finish. */
function gated() {
  const open = Promise.withResolvers<void>()
  const calm = scripted('gated', 'hello there')
  const provider = {
    ...calm,
    calls: 0,
    async generateText(...given: Parameters<NonNullable<typeof calm.generateText>>) {
      provider.calls += 1
      await open.promise
      return calm.generateText!(...given)
    },
  }
  return { provider, finish: open.resolve }
}

/** A caller whose key has these limits. */
async function limited(limits: KeyLimits, options: TestCoreOptions = {}) {
  const setup = await testCore(options)
  const { credentials, keyId } = await setup.addCaller({ key: { limits } })
  const ask = (model: string) => setup.core.run(operations.generate, credentials, { model, prompt: 'x' })
  return { ...setup, run: setup.core.run, credentials, keyId, ask }
}

describe('the models of a key', () => {
  const providers = [
    createModels('openai', 'gpt-5', 'gpt-5-mini'),
    createModels('azure', 'gpt-5', 'o9'),
    createModels('anthropic', 'claude-x'),
    embedder('numbers'),
    reader('reader', { sentiment: { score: 0, label: 'neutral' } }),
  ]
  const options = {
    providers,
    routes: {
      smart: { targets: ['openai/gpt-5', 'anthropic/claude-x'] },
      both: { targets: ['openai/gpt-5', 'openai/gpt-5-mini'] },
    },
    aliases: { 'old-*': 'gpt-5', named: 'claude-x' },
  } satisfies TestCoreOptions
  const outcome = async (models: readonly string[], model: string) => {
    const { ask } = await limited({ models }, options)
    const reply = await ask(model)
    return reply.success ? 'ok' : reply.error.code
  }

  test.each([
    ['gpt-*', 'gpt-5-mini', 'ok'],
    ['gpt-*', 'claude-x', 'FORBIDDEN'],
    // By the id with its provider, and by the listed id.
    ['openai/*', 'gpt-5', 'ok'],
    ['gpt-5', 'openai/gpt-5', 'ok'],
    ['gpt-5', 'azure/gpt-5', 'FORBIDDEN'],
    ['azure/*', 'azure/gpt-5', 'ok'],
    // A route by its name, or if all of its targets are allowed.
    ['smart', 'smart', 'ok'],
    ['smart', 'claude-x', 'FORBIDDEN'],
    ['gpt-*', 'smart', 'FORBIDDEN'],
    ['gpt-*', 'both', 'ok'],
    // An alias by its name, or if its model is allowed.
    ['named', 'named', 'ok'],
    ['gpt-*', 'old-one', 'ok'],
    ['gpt-*', 'named', 'FORBIDDEN'],
    ['gpt-*', 'unknown', 'FORBIDDEN'],
    ['gpt-*', 'gpt-unknown', 'INVALID_REQUEST'],
  ])('the models of a key that match %s allow %s: %s', async (pattern, model, code) => {
    expect(await outcome([pattern], model)).toBe(code)
  })

  test('the models of a key are named by the error, with the model', async () => {
    const { ask } = await limited({ models: ['gpt-*', 'smart'] }, options)
    expect(await ask('claude-x')).toMatchObject({
      error: {
        code: 'FORBIDDEN',
        message: 'model: "claude-x" is not among the models that this credential may call (gpt-*, smart)',
        details: { field: 'model' },
      },
    })
  })

  test('the models of a key are all that lists show', async () => {
    const { run, credentials } = await limited({ models: ['gpt-*', 'smart'] }, options)
    const listed = await run(operations.models, credentials, {})
    expect(listed.success ? listed.data.map(({ id }) => id) : []).toEqual(['smart', 'both', 'gpt-5', 'gpt-5-mini'])
    expect(await run(operations.model, credentials, { id: 'gpt-5' })).toMatchObject({ success: true })
    expect(await run(operations.model, credentials, { id: 'claude-x' })).toMatchObject(forbidden('"claude-x"'))
    expect(await run(operations.analyzers, credentials, {})).toMatchObject({ data: [] })
  })

  test('the models of a key limit embeddings, analyses, and counts of tokens', async () => {
    const { run, credentials } = await limited({ models: ['gpt-*'] }, options)
    const embedded = await run(operations.embed, credentials, { model: 'vectors', texts: ['x'] })
    expect(embedded).toMatchObject(forbidden('"vectors"'))
    const text = { text: 'x', tasks: ['sentiment'] } as const
    expect(await run(operations.analyze, credentials, { ...text, model: 'claude-x' })).toMatchObject(
      forbidden('claude-x'),
    )
    expect(await run(operations.analyze, credentials, text)).toMatchObject({ error: { code: 'INVALID_REQUEST' } })
    const messages = [{ role: 'user', content: 'x' }] as const
    expect(await run(operations.countTokens, credentials, { model: 'claude-x', messages })).toMatchObject(
      forbidden('"claude-x"'),
    )
  })

  test('the models of a key do not limit other keys', async () => {
    const { core, caller } = await limited({ models: ['gpt-*'] }, options)
    expect(await core.run(operations.generate, caller, { model: 'claude-x', prompt: 'x' })).toMatchObject({
      success: true,
    })
  })
})

describe('the allowed networks of a key', () => {
  const limits = { allowedNetworks: ['10.0.0.0/8', '2001:db8::/32', '192.0.2.7'] }

  test.each([
    ['10.1.2.3', true],
    ['::ffff:10.1.2.3', true],
    ['2001:db8::9', true],
    ['192.0.2.7', true],
    ['192.0.2.8', false],
    ['11.1.2.3', false],
    ['2001:db9::9', false],
    [undefined, false],
  ])('the allowed networks of a key decide on the address %s: %s', async (address, isAllowed) => {
    const { run, credentials } = await limited(limits)
    const replies = [
      await run(operations.generate, credentials, { model: 'any', prompt: 'x' }, { address }),
      await run(operations.apiKeys, credentials, {}, { address }),
    ]
    const code = isAllowed ? undefined : 'FORBIDDEN'
    expect(replies.map((reply) => (reply.success ? undefined : reply.error.code))).toEqual([code, code])
  })

  test('the allowed networks of a key reject a request before its input is read, free of charge, and name its address', async () => {
    const { run, credentials, keyId, stores } = await limited(limits)
    const reply = await run(operations.generate, credentials, () => expect.unreachable('read'), { address: '11.0.0.1' })
    expect(reply).toMatchObject(forbidden('may not be used from 11.0.0.1'))
    expect((await stores.read((view) => view.counters.peek(keyId))).used).toBe(0)
  })
})

describe('the requests per minute of a key', () => {
  test('the requests per minute of a key are counted for the key alone, and named by the error', async () => {
    const { ask, core, caller, clock } = await limited({ requestsPerMinute: 2 })
    expect(await ask('any')).toMatchObject({ burst: { limit: 2, remaining: 1 } })
    await ask('any')
    expect(await ask('any')).toMatchObject({
      error: {
        code: 'RATE_LIMIT_EXCEEDED',
        message: 'The limit of 2 requests per minute of this API key is exceeded. Try again in 30 s.',
        details: { limit: 'requestsPerMinute' },
      },
      retryAfterMs: 30_000,
      burst: { limit: 2, remaining: 0 },
    })
    expect(await core.run(operations.generate, caller, { model: 'any', prompt: 'x' })).toMatchObject({ success: true })
    clock.advance(30_000)
    expect(await ask('any')).toMatchObject({ success: true })
  })

  test('the requests per minute of a key hold besides those of the tier, and the tighter limit is shown', async () => {
    const tier = { rateLimits: { requestsPerMinute: { free: 3 } } }
    const { ask } = await limited({ requestsPerMinute: 5 }, tier)
    expect(await ask('any')).toMatchObject({ burst: { limit: 3, remaining: 2 } })
    const { ask: askTight } = await limited({ requestsPerMinute: 2 }, tier)
    expect(await askTight('any')).toMatchObject({ burst: { limit: 2, remaining: 1 } })
  })
})

describe('the tokens per minute of a key', () => {
  // The prompt has 1 token, and the answer at most 100.
  const text = { model: 'any', prompt: 'xxxx' }

  test('the tokens per minute of a key are reserved as estimated, and corrected to those that the call used', async () => {
    const { run, credentials } = await limited({ tokensPerMinute: 150 })
    const ask = (maxTokens: number) => run(operations.generate, credentials, { ...text, maxTokens })
    const first = await ask(100)
    const used = first.success && 'data' in first ? first.data.usage.totalTokens : 0
    expect(used).toBeLessThan(20)
    expect(await ask(150 - used - 1)).toMatchObject({ success: true })
    expect(await ask(150 - 2 * used)).toMatchObject({
      error: {
        code: 'RATE_LIMIT_EXCEEDED',
        message: expect.stringMatching(
          /^The limit of 150 tokens per minute of this API key is exceeded\. Try again in \d s\.$/,
        ),
        details: { limit: 'tokensPerMinute' },
      },
    })
  })

  test('the tokens per minute of a key are given back by a call that fails', async () => {
    const { run, credentials } = await limited({ tokensPerMinute: 101 }, { providers: [failing('broken', 'give_up')] })
    for (let n = 0; n < 3; n++) {
      const reply = await run(operations.generate, credentials, text)
      expect(reply).toMatchObject({ error: { code: 'PROVIDER_ERROR' } })
    }
  })

  test('the tokens per minute of a key let a call that may take more wait for all of them', async () => {
    const { run, credentials, clock } = await limited({ tokensPerMinute: 50 })
    const ask = () => run(operations.generate, credentials, text)
    expect(await ask()).toMatchObject({ success: true })
    expect(await ask()).toMatchObject({ error: { code: 'RATE_LIMIT_EXCEEDED' } })
    clock.advance(60_000)
    expect(await ask()).toMatchObject({ success: true })
  })
})

describe('the model calls of a key at the same time', () => {
  const text = { model: 'any', prompt: 'x' }
  const refused = {
    error: { code: 'RATE_LIMIT_EXCEEDED', details: { limit: 'maxConcurrency' } },
    retryAfterMs: 1_000,
  }

  test('the model calls of a key at the same time are limited until one ends, and others of the user are not', async () => {
    const { provider, finish } = gated()
    const { ask, core, caller } = await limited({ maxConcurrency: 2 }, { providers: [provider] })
    const running = [ask('any'), ask('any')]
    await vi.waitFor(() => expect(provider.calls).toBe(2))
    expect(await ask('any')).toMatchObject(refused)
    const other = core.run(operations.generate, caller, text)
    finish()
    for (const reply of await Promise.all([...running, other])) expect(reply).toMatchObject({ success: true })
    for (const reply of await Promise.all([ask('any'), ask('any')])) expect(reply).toMatchObject({ success: true })
  })

  test('the model calls of a key at the same time end with a stream, a failure, and a request that its caller closes', async () => {
    const { provider, finish } = gated()
    const providers = [provider, failing('broken', 'give_up')]
    const { run, credentials, ask } = await limited({ maxConcurrency: 1 }, { providers })
    for (let n = 0; n < 2; n++) expect(await ask('broken/any')).toMatchObject({ error: { code: 'PROVIDER_ERROR' } })
    const closed = new AbortController()
    const aborted = run(operations.generate, credentials, text, { signal: closed.signal })
    await vi.waitFor(() => expect(provider.calls).toBe(1))
    expect(await ask('any')).toMatchObject(refused)
    closed.abort()
    await aborted
    finish()
    const stream = () => run(operations.generate, credentials, { ...text, stream: true })
    const first = await stream()
    expect(await ask('any')).toMatchObject(refused)
    if (first.success && 'events' in first) await first.events[Symbol.asyncIterator]().return?.()
    const second = await stream()
    if (second.success && 'events' in second) for await (const _ of second.events);
    expect(await ask('any')).toMatchObject({ success: true })
  })
})
