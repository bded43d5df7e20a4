import { describe, expect, test } from 'vitest'
import { createIds } from '@fairlead/core/adapter'
import { createKeyring, keyringCipher } from '@fairlead/core/feature'
import type { SecretKeys } from '@fairlead/core'
import { someWebhook, testStores } from '@fairlead/testing'
import { createWebhookSecrets, resealSecrets } from './webhook-secrets.ts'

const newId = createIds(Date.now)
const secretsWith = (keys: SecretKeys) => createWebhookSecrets(keyringCipher(createKeyring(keys)))

describe('resealSecrets', () => {
  test('resealSecrets encrypts all secrets with the current key, so that the previous one can be removed', async () => {
    const stores = testStores()
    const before = secretsWith({ current: 'old' })
    const webhooks = Array.from({ length: 150 }, (_, index) => {
      const id = newId('whk')
      const previousSecret = before.create(id).sealed
      return someWebhook(newId, {
        id,
        secret: before.create(id).sealed,
        previousSecret: index === 0 ? previousSecret : null,
        previousSecretUntil: index === 0 ? 1_000 : null,
        createdAt: index,
      })
    })
    const damaged = someWebhook(newId, { secret: 'damaged', createdAt: 10 })
    await stores.transact(async (tx) => {
      for (const webhook of [...webhooks, damaged]) await tx.webhooks.add(webhook)
    })
    const logged: unknown[] = []
    const log = { error: (facts: unknown) => void logged.push(facts), warn: () => {} }
    await resealSecrets(stores, secretsWith({ current: 'new', previous: 'old' }), log)
    const after = secretsWith({ current: 'new' })
    for (const webhook of webhooks) {
      const found = await stores.read((view) => view.webhooks.find(webhook.id))
      expect(found?.version).toBe(webhook.version)
      expect(after.open(found!, 0)).toEqual(before.open(webhook, 0))
    }
    expect(await stores.read((view) => view.webhooks.find(damaged.id))).toEqual(damaged)
    expect(logged).toMatchObject([{ webhookId: damaged.id }])
  })

  test('resealSecrets leaves secrets alone that the current key encrypted', async () => {
    const stores = testStores()
    const id = newId('whk')
    const secrets = secretsWith({ current: 'old', previous: 'new' })
    const added = someWebhook(newId, { id, secret: secrets.create(id).sealed })
    await stores.transact((tx) => tx.webhooks.add(added))
    await resealSecrets(stores, secrets, { error: () => {}, warn: () => {} })
    expect(await stores.read((view) => view.webhooks.find(id))).toEqual(added)
  })
})
