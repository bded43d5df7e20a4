import { testCore } from '@fairlead/testing'
import type { GraphQLObjectType, GraphQLResolveInfo } from 'graphql'
import { describe, expect, test } from 'vitest'
import { buildSchema } from './build-schema.ts'
import type { GraphqlContext } from '../context.ts'

const info = { path: { key: 'model' } } as GraphQLResolveInfo

describe('an edge', () => {
  test('an edge is loaded once per request, and again for each event of a subscription', async () => {
    const { core, caller } = await testCore()
    let loads = 0
    const counting = new Proxy(core, {
      get(target, name) {
        if (name === 'load') loads += 1
        return Reflect.get(target, name)
      },
    })
    const context = {
      core: counting,
      credentials: caller,
      requestId: 'req_1',
      outcome: {},
    } as unknown as GraphqlContext
    const schema = buildSchema(core)
    const resolve = (type: string, name: string, source: unknown) =>
      (schema.getType(type) as GraphQLObjectType).getFields()[name]?.resolve?.(source, {}, context, info)
    const follow = () => resolve('Generation', 'model', { model: 'any' })
    expect(await follow()).toMatchObject({ id: 'any' })
    await follow()
    expect(loads).toBe(1)
    resolve('Subscription', 'generateStream', { type: 'chunk', chunk: { content: 'hello' } })
    await follow()
    expect(loads).toBe(2)
  })
})
