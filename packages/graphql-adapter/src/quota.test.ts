import { describe, expect, test } from 'vitest'
import { serve } from './testing/serve.ts'

const fifty = Array.from({ length: 50 }, (_, n) => `g${n}: generate(input: $input) { generation { content } }`)
const input = { model: 'any', prompt: 'a' }

function manyGenerations(count: number): string {
  return `mutation ($input: GenerateInput!) { ${fifty.slice(0, count).join(' ')} }`
}

describe('each metered field', () => {
  test('each metered field costs a unit: fifty aliased generations cost fifty', async () => {
    const { ask, stores, keyId } = await serve()
    const { json, headers } = await ask(manyGenerations(50), { input })
    expect(json.errors).toBeUndefined()
    expect(Object.keys(json.data)).toHaveLength(50)
    expect((await stores.read((view) => view.counters.peek(keyId))).used).toBe(50)
    expect(headers.get('x-ratelimit-remaining')).toBe('950')
    expect(headers.get('ratelimit')).toMatch(/^"monthly";r=950;t=\d+$/)
  })

  test('each metered field succeeds up to the limit, and later fields do not affect earlier ones', async () => {
    const { ask, stores, keyId } = await serve()
    for (let n = 0; n < 990; n++) await stores.reserve(keyId, null)
    const { json, headers } = await ask(manyGenerations(50), { input })
    expect(Object.values(json.data).filter(Boolean)).toHaveLength(10)
    expect(json.errors).toHaveLength(40)
    expect(headers.get('x-ratelimit-remaining')).toBe('0')
  })

  test('each metered field is free if it is rejected, and the headers show that', async () => {
    const { ask } = await serve()
    const { headers } = await ask('{ a: models { id } b: model(id: "nope") { id } c: models { id } }')
    expect(headers.get('x-ratelimit-remaining')).toBe('998')
  })

  test('each metered field counts as one login attempt: the throttle counts every alias', async () => {
    const { ask } = await serve()
    const aliases = [1, 2, 3, 4].map((n) => `l${n}: login(input: {email: "a@b.c", password: "x"}) { expiresIn }`)
    const codes: string[] = []
    for (let documents = 0; documents < 3; documents++) {
      const { json } = await ask(`mutation { ${aliases.join(' ')} }`)
      codes.push(...json.errors.map((error: { extensions: { code: string } }) => error.extensions.code))
    }
    expect(codes.filter((code) => code === 'UNAUTHORIZED')).toHaveLength(10)
    expect(codes.filter((code) => code === 'RATE_LIMIT_EXCEEDED')).toHaveLength(2)
  })
})

describe('a burst limit', () => {
  test('a burst limit counts each metered field, and rejects those beyond it with RATE_LIMIT_EXCEEDED', async () => {
    const { ask } = await serve({ rateLimits: { requestsPerMinute: { free: 5 } } })
    const { json, headers } = await ask(manyGenerations(7), { input })
    expect(Object.values(json.data).filter(Boolean)).toHaveLength(5)
    expect(json.errors.map((error: { extensions: { code: string } }) => error.extensions.code)).toEqual([
      'RATE_LIMIT_EXCEEDED',
      'RATE_LIMIT_EXCEEDED',
    ])
    expect(headers.get('ratelimit-policy')).toMatch(/^"burst";q=5;w=60, "monthly";q=1000;w=\d+$/)
    expect(headers.get('ratelimit')).toMatch(/^"burst";r=0;t=12, "monthly";r=995;t=\d+$/)
  })
})

describe('an idempotency key', () => {
  test('an idempotency key runs a mutation once', async () => {
    const { ask, stores, keyId } = await serve()
    const once =
      'mutation { generate(input: {model: "any", prompt: "a"}, idempotencyKey: "k1") { generation { id meta { replayed requestId originalRequestId } } } }'
    const first = (await ask(once)).json.data.generate.generation
    const second = (await ask(once)).json.data.generate.generation
    expect(second.id).toBe(first.id)
    expect(first.meta).toMatchObject({ replayed: false, originalRequestId: null })
    expect(second.meta).toMatchObject({ replayed: true, originalRequestId: first.meta.requestId })
    expect(second.meta.requestId).not.toBe(first.meta.requestId)
    expect((await stores.read((view) => view.counters.peek(keyId))).used).toBe(1)
  })
})
