import { describe, expect, test } from 'vitest'
import { operations } from '@fairlead/testing/workspace'
import type { Failure, Success, Credentials } from '@fairlead/core'
import { keyringCipher, createKeyring } from '@fairlead/core/feature'
import { testCore, type TestCoreOptions } from '@fairlead/testing'
import { createWebhookSecrets } from './webhook-secrets.ts'

const { createWebhook, deleteWebhook, patchWebhook, updateWebhook, webhook, webhooks, rotateWebhookSecret } = operations
const input = { url: 'https://example.com/hooks', events: ['shipment.*'] }

function requireData<Data>(reply: Success<Data> | Failure): Data {
  if (!reply.success) throw new Error(reply.error.message)
  return reply.data
}

async function setup(options?: TestCoreOptions) {
  const world = await testCore(options)
  const { core, caller, stores } = world
  const create = async (facts: object = {}, credentials: Credentials = caller) => {
    return requireData(await core.run(createWebhook, credentials, { ...input, ...facts }))
  }
  const patch = (id: string, facts: object, credentials: Credentials = caller) =>
    core.run(patchWebhook, credentials, { id, ...facts })
  const stored = async (id: string) => {
    const found = await stores.read((view) => view.webhooks.find(id))
    if (!found) throw new Error('no such webhook')
    return found
  }
  return { ...world, create, patch, stored }
}

describe('createWebhook', () => {
  test('createWebhook returns the webhook with its secret, once', async () => {
    const { core, caller } = await setup()
    const reply = await core.run(createWebhook, caller, { ...input, description: 'orders' })
    expect(reply).toMatchObject({
      version: 1,
      data: {
        ...input,
        id: expect.stringMatching(/^whk_\d+$/),
        description: 'orders',
        enabled: true,
        disabledReason: null,
        allUsers: false,
        lastDeliveredAt: null,
        failingSince: null,
        previousSecretExpiresAt: null,
        secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
      },
    })
    const { secret: _secret, ...shown } = requireData(reply)
    expect(await core.run(webhook, caller, { id: shown.id })).toMatchObject({ version: 1, data: shown })
    expect(await core.run(webhooks, caller, {})).toMatchObject({ data: [shown] })
    expect(JSON.stringify(await core.run(webhooks, caller, {}))).not.toContain('secret"')
  })

  test('createWebhook encrypts the secret at rest, for this webhook alone', async () => {
    const secretKeys = { current: 'a key of the service' }
    const { create, stored, clock } = await setup({ secretKeys })
    const { id, secret } = await create()
    const secrets = createWebhookSecrets(keyringCipher(createKeyring(secretKeys)))
    const found = await stored(id)
    expect(JSON.stringify(found)).not.toContain(secret)
    expect(secrets.open(found, clock.now())).toEqual([secret])
    expect(() => secrets.open({ ...found, id: 'whk_1' }, clock.now())).toThrow(
      'cannot decrypt the secret of webhook whk_1',
    )
  })

  test('createWebhook is free of charge', async () => {
    const { create, stores, keyId } = await setup()
    await create()
    expect(await stores.read((view) => view.counters.peek(keyId))).toMatchObject({ used: 0 })
  })

  test.each<[string, string, object]>([
    ['url', 'is required', { url: undefined }],
    ['url', 'must use https', { url: 'http://example.com/' }],
    ['url', 'must have at most 2,048 characters', { url: `https://example.com/${'a'.repeat(2_048)}` }],
    ['events', 'is required', { events: undefined }],
    ['events', 'must have at least 1 entry', { events: [] }],
    ['events', 'must not contain an event type twice', { events: ['*', '*'] }],
    ['description', 'must have at most 256 characters', { description: 'd'.repeat(257) }],
    ['secret', 'is not a known field', { secret: 'whsec_mine' }],
  ])('createWebhook rejects: %s %s', async (field, issue, facts) => {
    const { core, caller } = await setup()
    expect(await core.run(createWebhook, caller, { ...input, ...facts })).toMatchObject({
      error: { code: 'INVALID_REQUEST', details: { field, issue } },
    })
  })

  test('createWebhook rejects unknown event types with a suggestion and the known types', async () => {
    const { core, caller } = await setup()
    const events = ['*', 'shipment.created', 'user.*', 'shipment.craeted', 'shipments.*', 'shipment.', '']
    const reply = await core.run(createWebhook, caller, { ...input, events })
    expect(reply.success || reply.error.details['issues']).toEqual([
      {
        field: 'events[3]',
        issue: expect.stringMatching(
          /^unknown event type "shipment\.craeted"; did you mean "shipment\.created"\? Event types: .*shipment\.deleted.* and \*$/,
        ),
      },
      { field: 'events[4]', issue: 'unknown event type "shipments.*"; did you mean "shipment.*"?' },
      { field: 'events[5]', issue: 'unknown event type "shipment."; did you mean "shipment.*"?' },
      { field: 'events[6]', issue: 'unknown event type ""' },
    ])
  })

  test('createWebhook allows only admins and the embedding program to receive the events of all users', async () => {
    const { fairlead, create, addCaller } = await setup()
    await expect(create({ allUsers: true })).rejects.toThrow('allUsers can be set only by an admin')
    const admin = await addCaller({ user: { role: 'admin' } })
    expect(await create({ allUsers: true }, admin.credentials)).toMatchObject({ allUsers: true })
    expect(await fairlead.webhooks.create({ ...input, allUsers: true })).toMatchObject({ allUsers: true })
  })

  test('createWebhook allows admins and the embedding program to have mail sent', async () => {
    const { fairlead, create, addCaller } = await setup({ mailer: { send: async () => 250 } })
    const { credentials: admin } = await addCaller({ user: { role: 'admin' } })
    const url = 'mailto:ops@example.com'
    await expect(create({ url })).rejects.toThrow('url can be an address for mail only for an admin')
    expect(await create({ url }, admin)).toMatchObject({ url })
    expect(await create({ url: 'mailto:' }, admin)).toMatchObject({ url: 'mailto:' })
    expect(await fairlead.webhooks.create({ ...input, url })).toMatchObject({ url })
  })

  test.for(['mailto:ops', 'mailto:ops@example.com?bcc=all@example.com', 'mailto:a@example.com, b@example.com'])(
    'createWebhook rejects %s',
    async (url) => {
      const { fairlead } = await setup({ mailer: { send: async () => 250 } })
      await expect(fairlead.webhooks.create({ ...input, url })).rejects.toThrow('is no email address')
    },
  )

  test('createWebhook rejects an address for mail in a service that sends none', async () => {
    const { fairlead } = await setup()
    const created = fairlead.webhooks.create({ ...input, url: 'mailto:ops@example.com' })
    await expect(created).rejects.toThrow('set FAIRLEAD_SMTP_URL')
  })

  test('createWebhook allows 20 webhooks for each owner, also in concurrent requests', async () => {
    const { core, caller, create, addCaller } = await setup()
    const replies = await Promise.all(Array.from({ length: 22 }, () => core.run(createWebhook, caller, input)))
    expect(replies.filter(({ success }) => success)).toHaveLength(20)
    expect(replies.find(({ success }) => !success)).toMatchObject({
      error: { code: 'CONFLICT', message: 'A user can have at most 20 webhooks. Delete one first.' },
    })
    await create({}, (await addCaller()).credentials)
  })
})

describe('listWebhooks', () => {
  test('listWebhooks shows every caller only their own webhooks, also an admin', async () => {
    const { fairlead, core, create, addCaller, caller } = await setup()
    const admin = await addCaller({ user: { role: 'admin' } })
    const [own, other] = [await create(), await create({}, admin.credentials)]
    const program = await fairlead.webhooks.create(input)
    const list = async (credentials: Credentials) => {
      const reply = await core.run(webhooks, credentials, {})
      return requireData(reply).map(({ id }) => id)
    }
    expect(await list(caller)).toEqual([own.id])
    expect(await list(admin.credentials)).toEqual([other.id])
    expect(await list({ kind: 'embedded' })).toEqual([program.id])
    expect(await core.run(webhook, admin.credentials, { id: own.id })).toMatchObject({ error: { code: 'NOT_FOUND' } })
  })

  test('listWebhooks filters by enabled', async () => {
    const { core, create, caller } = await setup()
    const [, disabled] = [await create(), await create({ enabled: false })]
    expect(await core.run(webhooks, caller, { enabled: false })).toMatchObject({ data: [{ id: disabled.id }] })
  })
})

describe('updateWebhook', () => {
  test('updateWebhook accepts the returned record with an edit, and clears fields that are left out, except enabled', async () => {
    const { core, caller, create, clock } = await setup()
    const { secret: _secret, ...shown } = await create({ description: 'orders', enabled: false })
    clock.advance(1_000)
    const edited = await core.run(updateWebhook, caller, { ...shown, events: ['*'] })
    expect(edited).toMatchObject({
      version: 2,
      data: { ...shown, events: ['*'], updatedAt: '2026-03-14T09:26:54.589Z' },
    })
    expect(await core.run(updateWebhook, caller, { id: shown.id, ...input })).toMatchObject({
      data: { events: ['shipment.*'], description: null, enabled: false },
    })
  })

  test('updateWebhook accepts a record that was read before the last delivery', async () => {
    const { core, caller, create, stores } = await setup()
    const { secret: _secret, ...shown } = await create()
    const health = { lastDeliveredAt: null, failures: { since: 1, count: 1, lastCountedAt: 1 } }
    await stores.transact((tx) => tx.webhooks.setHealth(shown.id, health))
    const failingSince = '1970-01-01T00:00:00.001Z'
    expect(await core.run(updateWebhook, caller, shown)).toMatchObject({ data: { ...shown, failingSince } })
  })

  test('updateWebhook rejects a changed read-only field, and an outdated record', async () => {
    const { core, caller, create } = await setup()
    const { id } = await create()
    const put = (facts: object) => core.run(updateWebhook, caller, { id, ...input, ...facts })
    expect(await put({ disabledReason: 'gone' })).toMatchObject({
      error: { code: 'INVALID_REQUEST', details: { field: 'disabledReason' } },
    })
    expect(await put({ updatedAt: '2020-01-01T00:00:00.000Z' })).toMatchObject({
      error: { code: 'CONFLICT', details: { field: 'updatedAt' } },
    })
  })

  test('updateWebhook checks the URL and the event types', async () => {
    const { core, caller, create } = await setup()
    const { id } = await create()
    const put = (facts: object) => core.run(updateWebhook, caller, { id, ...input, ...facts })
    expect(await put({ url: 'http://127.0.0.1/' })).toMatchObject({ error: { details: { field: 'url' } } })
    expect(await put({ events: ['ship.*'] })).toMatchObject({ error: { details: { field: 'events[0]' } } })
  })
})

describe('patchWebhook', () => {
  test('patchWebhook changes the given fields and keeps the others', async () => {
    const { create, patch } = await setup()
    const { id, secret: _secret, ...before } = await create({ description: 'orders' })
    expect(await patch(id, { description: null })).toMatchObject({ version: 2, data: { ...before, description: null } })
    expect(await patch(id, { url: 'http://example.com/' })).toMatchObject({ error: { details: { field: 'url' } } })
  })

  test('patchWebhook rejects another version than the one that If-Match names', async () => {
    const { core, caller, create } = await setup()
    const { id } = await create()
    const patch = (ifMatch: readonly number[]) => core.run(patchWebhook, caller, { id, enabled: false }, { ifMatch })
    expect(await patch([2])).toMatchObject({ error: { code: 'PRECONDITION_FAILED' } })
    expect(await patch([1])).toMatchObject({ version: 2 })
  })

  test('patchWebhook that enables a webhook clears why the service disabled it, and its failures', async () => {
    const { create, patch, stored, stores } = await setup()
    const { id } = await create()
    const disabled = { ...(await stored(id)), enabled: false, disabledReason: 'failing' as const }
    await stores.transact(async (tx) => {
      await tx.webhooks.replace(disabled)
      await tx.webhooks.setHealth(id, { lastDeliveredAt: 1, failures: { since: 1, count: 3, lastCountedAt: 2 } })
    })
    const failing = { disabledReason: 'failing', failingSince: '1970-01-01T00:00:00.001Z' }
    expect(await patch(id, { description: 'x' })).toMatchObject({ data: failing })
    const healthy = { enabled: true, disabledReason: null, failingSince: null, lastDeliveredAt: failing.failingSince }
    expect(await patch(id, { enabled: true })).toMatchObject({ data: healthy })
    expect(await stored(id)).toMatchObject({ failures: null, lastDeliveredAt: 1 })
  })

  test('patchWebhook that disables a webhook fails its pending deliveries, which can be recovered', async () => {
    const { core, caller, create, patch } = await setup()
    const { id } = await create()
    await core.run(operations.testWebhook, caller, { id })
    await patch(id, { enabled: false })
    const statuses = async () => {
      const reply = await core.run(operations.deliveries, caller, { webhookId: id })
      return requireData(reply).map(({ status }) => status)
    }
    expect(await statuses()).toEqual(['failed'])
    const recover = () => core.run(operations.recoverWebhook, caller, { id, since: '2026-01-01T00:00:00Z' })
    expect(await recover()).toMatchObject({ error: { code: 'CONFLICT' } })
    await patch(id, { enabled: true })
    expect(await recover()).toMatchObject({ data: { id, recovered: 1 } })
    expect(await statuses()).toEqual(['pending'])
  })
})

describe('rotateWebhookSecret', () => {
  test('rotateWebhookSecret returns a new secret, and the old one signs for 24 more hours', async () => {
    const secretKeys = { current: 'a key of the service' }
    const { core, caller, create, stored, clock } = await setup({ secretKeys })
    const { id, secret } = await create()
    clock.advance(60_000)
    const reply = await core.run(rotateWebhookSecret, caller, { id })
    const rotated = requireData(reply)
    expect(reply).toMatchObject({ version: 2, data: { previousSecretExpiresAt: '2026-03-15T09:27:53.589Z' } })
    expect(rotated.secret).not.toBe(secret)
    const secrets = createWebhookSecrets(keyringCipher(createKeyring(secretKeys)))
    const at = clock.now()
    expect(secrets.open(await stored(id), at + 86_399_999)).toEqual([rotated.secret, secret])
    expect(secrets.open(await stored(id), at + 86_400_000)).toEqual([rotated.secret])
  })

  test('rotateWebhookSecret while the clock is a year ahead does not let the old secret sign for a year', async () => {
    const secretKeys = { current: 'a key of the service' }
    const { core, caller, create, stored, clock } = await setup({ secretKeys })
    const { id } = await create()
    const before = clock.now()
    clock.jumpTo(before + 365 * 86_400_000)
    const { secret } = requireData(await core.run(rotateWebhookSecret, caller, { id }))
    const secrets = createWebhookSecrets(keyringCipher(createKeyring(secretKeys)))
    expect(secrets.open(await stored(id), clock.now())).toHaveLength(2)
    expect(secrets.open(await stored(id), before)).toEqual([secret])
  })
})

describe('a secret', () => {
  test('a secret can be decrypted after the secret key of the service was replaced and the previous one removed', async () => {
    const { create, stored, stores, clock } = await setup({ secretKeys: { current: 'old' } })
    const { id, secret } = await create()
    const { core } = await testCore({ stores, secretKeys: { current: 'new', previous: 'old' } })
    core.startJobs()
    await core.close()
    const secrets = createWebhookSecrets(keyringCipher(createKeyring({ current: 'new' })))
    expect(secrets.open(await stored(id), clock.now())).toEqual([secret])
  })
})

describe('deleteWebhook', () => {
  test('deleteWebhook removes the webhook and its deliveries', async () => {
    const { core, caller, create, stores } = await setup()
    const { id } = await create()
    const tested = await core.run(operations.testWebhook, caller, { id })
    const delivery = requireData(tested).id
    expect(await core.run(deleteWebhook, caller, { id })).toMatchObject({ data: { id, deleted: true } })
    expect(await core.run(webhook, caller, { id })).toMatchObject({ error: { code: 'NOT_FOUND' } })
    expect(await stores.read((view) => view.deliveries.find(delivery))).toBeUndefined()
  })
})

describe('deleteUser', () => {
  test('deleteUser removes the webhooks of the user', async () => {
    const { fairlead, addCaller, create, stores } = await setup()
    const { userId, credentials } = await addCaller()
    const { id } = await create({}, credentials)
    await fairlead.users.delete({ id: userId })
    expect(await stores.read((view) => view.webhooks.find(id))).toBeUndefined()
  })
})
