import { describe, expect, test } from 'vitest'
import { scripted, fakeTextModel, testCore } from '@fairlead/testing'
import { operations } from '@fairlead/testing/workspace'
import type { KeyLimits } from '@fairlead/core/stores'

/** A user whose key has spent $0.02. */
async function setup(user: object = {}, limits: KeyLimits = {}) {
  const pricing = { input: 0, output: 1_000 }
  const provider = {
    ...scripted('calm', Array.from({ length: 20 }, () => 'word').join(' ')),
    models: [fakeTextModel({ pricing })],
  }
  const world = await testCore({ providers: [provider] })
  const { credentials, userId, keyId } = await world.addCaller({ user, key: { limits } })
  await world.core.run(operations.generate, credentials, { model: 'any', prompt: 'x' })
  return { ...world, credentials, userId, keyId }
}

const monthly = { budgetUsd: 0.5, budgetPeriod: 'month' } as const
const ofUser = {
  kind: 'user',
  limitUsd: 0.5,
  period: 'month',
  spentUsd: 0.02,
  reservedUsd: 0,
  remainingUsd: 0.48,
  resetsAt: '2026-04-01T00:00:00.000Z',
}
const ofKey = { kind: 'key', limitUsd: 2, period: null, spentUsd: 0.02, remainingUsd: 1.98, resetsAt: null }

describe('what is left of budgets', () => {
  test('what is left of budgets is in the usage of their user', async () => {
    const { core, credentials, userId, keyId } = await setup(monthly, { budgetUsd: 2 })
    expect(await core.run(operations.usage, credentials, {})).toMatchObject({
      data: {
        budgets: [
          { ...ofUser, id: userId },
          { ...ofKey, id: keyId },
        ],
      },
    })
  })

  test('what is left of budgets is in the usage of all users for those of users', async () => {
    const { core, credentials, userId } = await setup({ ...monthly, role: 'admin' }, { budgetUsd: 2 })
    expect(await core.run(operations.usage, credentials, { allUsers: true })).toMatchObject({
      data: { budgets: [{ ...ofUser, id: userId }] },
    })
  })

  test('what is left of budgets is in the user, and in the API key', async () => {
    const { fairlead, userId, keyId } = await setup(monthly, { budgetUsd: 2 })
    expect((await fairlead.users.get({ id: userId })).budget).toEqual({ ...ofUser, id: userId })
    expect((await fairlead.apiKeys.get({ id: keyId })).budget).toMatchObject({ ...ofKey, id: keyId })
  })

  test('what is left of budgets is null without a budget', async () => {
    const { fairlead, userId, keyId } = await setup()
    expect((await fairlead.users.get({ id: userId })).budget).toBeNull()
    expect((await fairlead.apiKeys.get({ id: keyId })).budget).toBeNull()
  })
})
