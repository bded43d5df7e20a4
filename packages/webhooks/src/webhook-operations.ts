import * as z from 'zod'
import { type OperationRun, FairleadError } from '@fairlead/core'
import { ownerOf, deletion, requireMatch, requireUnchanged, withFields } from '@fairlead/core/feature'
import { invalidRequest } from '@fairlead/core/adapter'
import { failAllPending, removeDeliveries } from './deliveries/delivery-batches.ts'
import { checkMailUrl, isMailUrl } from './deliveries/mail.ts'
import { checkPatterns } from './events/event-pattern.ts'
import { checkWebhookScopes } from './events/event-scopes.ts'
import { findWebhooks } from './loaders.ts'
import {
  checkAllUsers,
  maxWebhooks,
  ofWebhooks,
  ownWebhook,
  previousSecretMs,
  shownWebhook,
  toWebhookRecord,
  webhookFacts,
  webhookFields,
  webhookRecord,
  type WebhookRecord,
  webhookWithSecret,
} from './webhook.ts'
import type { WebhookRow, WebhooksTransaction } from './webhook-store.ts'
import { list, read, write, type WebhookServices } from './services.ts'

export const listWebhooks = list({
  name: 'webhooks',
  summary: 'Lists the caller’s webhooks.',
  ...ofWebhooks,
  rest: { method: 'GET', path: '/webhooks' },
  graphql: { query: 'webhooks' },
  filters: {
    enabled: z.boolean().optional().describe('Only webhooks that are enabled, or only those that are not.'),
  },
  record: webhookRecord,
  find: ({ stores }, { caller }, filters, slice) =>
    stores.read((view) => view.webhooks.list({ ...filters, userId: ownerOf(caller) }, slice)),
  show: toWebhookRecord,
})

export const createWebhook = write({
  name: 'createWebhook',
  summary: 'Creates a webhook. Its signing secret is shown only once.',
  ...ofWebhooks,
  rest: { method: 'POST', path: '/webhooks' },
  graphql: { mutation: 'createWebhook', payload: { record: 'webhook', loader: findWebhooks, fields: ['secret'] } },
  input: z.strictObject({ ...webhookFields, enabled: webhookFields.enabled.default(true) }),
  output: webhookWithSecret,
  creates: true,
  versioned: true,
  errors: ['CONFLICT'],
  async prepare(services, call, input) {
    checkWebhookScopes(call.caller, services.eventTypes, input)
    await checkFields(services, call, input)
    return { fields: input, secrets: services.webhookSecrets }
  },
  async apply(tx, call, { fields, secrets }) {
    const userId = ownerOf(call.caller)
    // Two concurrent requests must not both find room for one more.
    await tx.lock(`webhooks of ${userId ?? 'the program'}`)
    if ((await tx.webhooks.count(userId)) >= maxWebhooks) {
      throw new FairleadError('CONFLICT', `A user can have at most ${maxWebhooks} webhooks. Delete one first.`)
    }
    const id = call.newId('whk')
    const { secret, sealed } = secrets.create(id)
    const webhook: WebhookRow = {
      ...fields,
      id,
      userId,
      disabledReason: null,
      lastDeliveredAt: null,
      failures: null,
      secret: sealed,
      previousSecret: null,
      previousSecretUntil: null,
      createdAt: call.at,
      updatedAt: call.at,
      version: 1,
    }
    await tx.webhooks.add(webhook)
    call.audit({ target: { type: 'webhook', id }, after: toWebhookRecord(webhook) })
    refreshSubscriptions(call)
    return { ...shownWebhook(call, webhook), secret }
  },
})

/** Checks what a schema cannot, outside of the transaction because it resolves the host name. */
async function checkFields(
  { outbound, mailer, eventTypes }: WebhookServices,
  { caller }: OperationRun,
  { url, events, allUsers }: Partial<WebhookPatch>,
): Promise<void> {
  checkAllUsers(caller, allUsers)
  if (events) checkPatterns(events, eventTypes)
  if (url === undefined) return
  const issue = isMailUrl(url) ? checkMailUrl(caller, url, mailer) : await outbound.check(url)
  if (issue !== undefined) throw invalidRequest({ field: 'url', issue })
}

export const getWebhook = read({
  name: 'webhook',
  summary: 'Returns a webhook.',
  ...ofWebhooks,
  rest: { method: 'GET', path: '/webhooks/{id}' },
  graphql: { query: 'webhook', node: { prefix: 'whk', loader: findWebhooks } },
  input: z.strictObject({ id: webhookFacts.id }),
  output: webhookRecord,
  versioned: true,
  errors: ['NOT_FOUND', 'PRECONDITION_FAILED'],
  async prepare({ stores }, call, { id }) {
    const webhook = ownWebhook(call.caller, await stores.read((view) => view.webhooks.find(id)))
    requireMatch(call, webhook.version)
    return webhook
  },
  run: async (_services, call, webhook) => shownWebhook(call, webhook),
})

const patch = z.strictObject({
  id: webhookFacts.id,
  url: webhookFields.url.optional(),
  events: webhookFields.events.optional(),
  description: webhookFields.description.unwrap().optional(),
  enabled: webhookFields.enabled
    .optional()
    .describe('Whether it receives events. Disabling fails its pending deliveries.'),
  allUsers: webhookFields.allUsers.unwrap().optional(),
})
type WebhookPatch = z.output<typeof patch>

const readOnly = z.object(webhookFacts).omit({ id: true }).partial()
type WebhookUpdate = WebhookPatch & z.output<typeof readOnly>

const update = {
  ...ofWebhooks,
  output: webhookRecord,
  versioned: true,
  async prepare(services: WebhookServices, call: OperationRun, input: WebhookUpdate) {
    await checkFields(services, call, input)
    return { input, eventTypes: services.eventTypes }
  },
  /** Fields that are undefined keep their value. */
  async apply(
    tx: WebhooksTransaction,
    call: OperationRun,
    { input, eventTypes }: Pick<WebhookServices, 'eventTypes'> & { readonly input: WebhookUpdate },
  ): Promise<WebhookRecord> {
    const { id, url, events, description, enabled, allUsers, ...facts } = input
    const before = await takeOwn(tx, call, id)
    // Deliveries since the client read the record may have changed its health.
    const { lastDeliveredAt: _delivered, failingSince: _failing, ...unchanged } = facts
    requireUnchanged(toWebhookRecord(before), unchanged)
    const changed = withFields(before, { url, events, description, enabled, allUsers })
    checkWebhookScopes(call.caller, eventTypes, changed, before)
    const isToggled = changed.enabled !== before.enabled
    const isEnabled = isToggled && changed.enabled
    const after = {
      ...changed,
      disabledReason: isToggled ? null : before.disabledReason,
      failures: isEnabled ? null : before.failures,
      updatedAt: call.at,
      version: before.version + 1,
    }
    await tx.webhooks.replace(after)
    auditUpdate(call, before, after)
    if (isEnabled) await tx.webhooks.setHealth(after.id, after)
    if (isToggled && !after.enabled) await failAllPending(tx, call, after.id)
    refreshSubscriptions(call)
    return shownWebhook(call, after)
  },
} as const

export const updateWebhook = write({
  ...update,
  name: 'updateWebhook',
  summary: 'Replaces the writable fields of a webhook. Fields that are left out are cleared, except `enabled`.',
  rest: { method: 'PUT', path: '/webhooks/{id}' },
  input: z.strictObject({
    id: webhookFacts.id,
    ...webhookFields,
    enabled: webhookFields.enabled.optional().describe('Whether it receives events. Default: unchanged.'),
    ...readOnly.shape,
  }),
  errors: ['NOT_FOUND', 'CONFLICT', 'PRECONDITION_FAILED'],
})

export const patchWebhook = write({
  ...update,
  name: 'patchWebhook',
  summary: 'Updates fields of a webhook. Fields that are left out keep their value, null clears the description.',
  rest: { method: 'PATCH', path: '/webhooks/{id}' },
  graphql: { mutation: 'updateWebhook' },
  input: patch,
  errors: ['NOT_FOUND', 'PRECONDITION_FAILED'],
})

/** Finds and locks a webhook of the caller. Throws `NOT_FOUND`, or `PRECONDITION_FAILED` for another version. */
async function takeOwn(tx: WebhooksTransaction, call: OperationRun, id: string): Promise<WebhookRow> {
  const webhook = ownWebhook(call.caller, await tx.webhooks.take(id))
  requireMatch(call, webhook.version)
  return webhook
}

function auditUpdate(call: OperationRun, before: WebhookRow, after: WebhookRow): void {
  const target = { type: 'webhook', id: after.id }
  call.audit({ target, before: toWebhookRecord(before), after: toWebhookRecord(after) })
}

/** Lets this process notice the change at once: it caches who subscribes to model calls. */
function refreshSubscriptions(call: OperationRun): void {
  call.afterCommit(({ eventSink }: WebhookServices) => eventSink.invalidate())
}

export const deleteWebhook = write({
  name: 'deleteWebhook',
  summary: 'Deletes a webhook and its deliveries.',
  ...ofWebhooks,
  rest: { method: 'DELETE', path: '/webhooks/{id}' },
  graphql: { mutation: 'deleteWebhook' },
  input: z.strictObject({ id: webhookFacts.id }),
  output: deletion,
  errors: ['NOT_FOUND', 'PRECONDITION_FAILED'],
  async apply(tx, call, { id }) {
    const before = await takeOwn(tx, call, id)
    await tx.webhooks.remove(id)
    call.audit({ target: { type: 'webhook', id }, before: toWebhookRecord(before) })
    await removeDeliveries(tx, call, id)
    refreshSubscriptions(call)
    return { id, deleted: true as const }
  },
})

export const rotateWebhookSecret = write({
  name: 'rotateWebhookSecret',
  summary: 'Rotates the signing secret of a webhook. For 24 hours, deliveries are signed with both secrets.',
  ...ofWebhooks,
  rest: { method: 'POST', path: '/webhooks/{id}/rotate-secret' },
  graphql: {
    mutation: 'rotateWebhookSecret',
    payload: { record: 'webhook', loader: findWebhooks, fields: ['secret'] },
  },
  input: z.strictObject({ id: webhookFacts.id }),
  output: webhookWithSecret,
  versioned: true,
  errors: ['NOT_FOUND', 'PRECONDITION_FAILED'],
  prepare: ({ webhookSecrets }, _call, { id }) => ({ id, secrets: webhookSecrets }),
  async apply(tx, call, { id, secrets }) {
    const before = await takeOwn(tx, call, id)
    const { secret, sealed } = secrets.create(id)
    const webhook = {
      ...before,
      secret: sealed,
      previousSecret: before.secret,
      previousSecretUntil: call.at + previousSecretMs,
      updatedAt: call.at,
      version: before.version + 1,
    }
    await tx.webhooks.replace(webhook)
    auditUpdate(call, before, webhook)
    return { ...shownWebhook(call, webhook), secret }
  },
})
