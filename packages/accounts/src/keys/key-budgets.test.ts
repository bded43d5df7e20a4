import { describe, expect, test } from 'vitest'
import { operations } from '@fairlead/testing/workspace'
import type { KeyLimits } from '@fairlead/core/stores'
import { testCore } from '@fairlead/testing'

async function setup(limits: KeyLimits) {
  const { fairlead, core, addCaller } = await testCore()
  const { credentials, keyId } = await addCaller({ user: { tier: 'pro' }, key: { limits } })
  const create = (input: object) =>
    core.run(operations.createApiKey, credentials, { name: 'child', scopes: ['keys'], ...input })
  const patch = (input: object) => fairlead.apiKeys.update({ id: keyId, ...input })
  return { create, patch }
}

const invalid = (field: string) => ({ error: { code: 'INVALID_REQUEST', details: { field } } })

describe('the budget of an API key', () => {
  test('the budget of an API key is set, changed and removed', async () => {
    const { create, patch } = await setup({})
    const budget = { budgetUsd: 12.5, budgetPeriod: 'week' }
    expect(await create(budget)).toMatchObject({ data: budget })
    expect(await patch(budget)).toMatchObject(budget)
    expect(await patch({ budgetPeriod: null })).toMatchObject({ budgetUsd: 12.5, budgetPeriod: null })
    expect(await patch({ budgetUsd: null })).toMatchObject({ budgetUsd: null, budgetPeriod: null })
  })

  test('the budget of an API key is no copy of that of the key that creates it, and in its period never larger', async () => {
    const { create } = await setup({ budgetUsd: 25, budgetPeriod: 'month' })
    expect(await create({})).toMatchObject({ data: { budgetUsd: null, budgetPeriod: null } })
    expect(await create({ budgetUsd: 5, budgetPeriod: 'month' })).toMatchObject({ data: { budgetUsd: 5 } })
    expect(await create({ budgetUsd: 26, budgetPeriod: 'month' })).toMatchObject(invalid('budgetUsd'))
    expect(await create({ budgetUsd: 26, budgetPeriod: 'day' })).toMatchObject({ data: { budgetPeriod: 'day' } })
  })

  test('the budget of an API key starts no other period because of a key with a smaller budget', async () => {
    const { core, addCaller } = await testCore()
    const large: KeyLimits = { budgetUsd: 100, budgetPeriod: 'month' }
    const { userId, keyId } = await addCaller({ key: { limits: large } })
    const small = await addCaller({ key: { userId, scopes: ['keys'], limits: { ...large, budgetUsd: 25 } } })
    const change = core.run(operations.updateApiKey, small.credentials, { id: keyId, budgetPeriod: 'day' })
    expect(await change).toMatchObject(invalid('budgetPeriod'))
  })

  test.each([-1, 10_000_001])('the budget of an API key cannot be %d', async (budgetUsd) => {
    const { create } = await setup({})
    expect(await create({ budgetUsd })).toMatchObject(invalid('budgetUsd'))
  })
})
