import { isProject } from '@fairlead/accounts'
import type { AccountTransaction, AccountView, UserRow } from '@fairlead/accounts/stores'
import type { Clock, DeliveryObserver, Feature, Mailer, DeliveryQueue } from '@fairlead/core'
import { type Job, createOutbound, operationsByName, type Outbound, keyringCipher } from '@fairlead/core/feature'
import { createIds } from '@fairlead/core/adapter'
import {
  getDelivery,
  listDeliveries,
  recoverWebhook,
  redeliver,
  testWebhook,
} from './deliveries/delivery-operations.ts'
import { removeDeliveries } from './deliveries/delivery-batches.ts'
import { startDeliveries } from './deliveries/delivery-worker.ts'
import { mailSender } from './deliveries/mail.ts'
import { removeExcessEvents } from './events/event-bounds.ts'
import { createEventFeed } from './events/event-feed.ts'
import { getEvent, listEvents, subscribeEvents } from './events/event-operations.ts'
import { createEventSink } from './events/event-sink.ts'
import { webhookEvents } from './events.ts'
import { memoryWebhooks } from './memory-webhooks.ts'
import type { WebhooksMethods } from './methods.ts'
import {
  createWebhook,
  deleteWebhook,
  getWebhook,
  listWebhooks,
  patchWebhook,
  rotateWebhookSecret,
  updateWebhook,
} from './webhook-operations.ts'
import { signWebhook } from './deliveries/signature.ts'
import { createWebhookSecrets, resealSecrets } from './webhook-secrets.ts'
import { limitsFrom, type WebhookLimits } from './webhook-limits.ts'
import type { WebhookStores, WebhooksView } from './webhook-store.ts'
import { defineFeature, type WebhookServices } from './services.ts'

export interface WebhooksOptions {
  /**
   * Private networks that webhooks may point to, also over http: IP addresses, CIDRs, and host names. Link-local and
   * metadata addresses only if they are listed exactly. Default: none, so that webhooks need a public address.
   */
  readonly allowNetworks?: readonly string[] | undefined
  /** Checks and requests the URLs of webhooks. Default: `createOutbound`, with `allowNetworks`. */
  readonly outbound?: Outbound | undefined
  /** Sends events to webhooks whose URL begins with `mailto:`, which only admins can create. Default: none may be created. */
  readonly mailer?: Mailer | undefined
  /** Bounds of stored events, pending deliveries, and requests to one host. */
  readonly limits?: WebhookLimits | undefined
  /** How long events and their deliveries are kept, in days. Default: 30. */
  readonly eventDays?: number | undefined
}

const tree = {
  webhooks: {
    list: listWebhooks,
    create: createWebhook,
    get: getWebhook,
    update: updateWebhook,
    patch: patchWebhook,
    delete: deleteWebhook,
    rotateSecret: rotateWebhookSecret,
    test: testWebhook,
    recover: recoverWebhook,
  },
  deliveries: { list: listDeliveries, get: getDelivery, redeliver },
  events: { list: listEvents, get: getEvent, subscribe: subscribeEvents },
} as const

/** The operations of webhooks and events by name, for `core.run`. */
export const webhookOperations = operationsByName(tree)

/** Adds events, and webhooks that receive them. A webhook belongs to the user that created it. */
export function webhooks(options: WebhooksOptions = {}): Feature<typeof tree, WebhooksMethods, WebhookServices> {
  const limits = limitsFrom(options.limits)
  const { eventDays = 30, mailer } = options
  if (!Number.isInteger(eventDays) || eventDays < minEventDays)
    throw new TypeError(`webhooks: eventDays must be an integer of at least ${minEventDays}`)
  return defineFeature({
    name: 'webhooks',
    operations: tree,
    scopes: { webhooks: 'Read and change webhooks.', events: 'Read events.' },
    events: Object.values(webhookEvents),
    memoryTables: ({ undo, tables }) =>
      // A core without accounts has no users.
      memoryWebhooks(undo, async (id) => {
        const { owners, members } = tables() as Partial<AccountTransaction>
        const owner = await owners?.find(id)
        const isStopped = owner && isProject(owner) && (await members?.withoutActiveOwner([id]))?.length === 1
        return isStopped ? { ...owner, status: 'suspended' } : owner
      }),
    async removeUserData(tx, call, userId) {
      for (const id of await tx.webhooks.removeAllOf(userId)) await removeDeliveries(tx, call, id)
    },
    sections: [
      { name: 'Webhooks', description: 'Endpoints that receive events, and their deliveries.', segments: ['webhooks'] },
      { name: 'Events', description: 'Events, as a list and as a stream.', segments: ['events'] },
    ],
    setUp({ stores, clock, log, keyring, eventTypes, ...core }) {
      // It has the events of every feature.
      const observer = core.observer as DeliveryObserver
      const newId = createIds(clock.now)
      const bounds = { stores, clock, log, observer }
      const removeExcess = (userId: string) => removeExcessEvents(bounds, userId, limits.maxEvents)
      const eventSink = createEventSink({ stores, clock, newId, eventTypes, removeExcess })
      const { onCommitted } = eventSink
      if (observer.eventsStored) onCommitted(() => observer.eventsStored?.())
      const eventFeed = createEventFeed({ stores, clock, log, onCommitted })
      const { allowNetworks, outbound = createOutbound({ allowNetworks, setting: networksSetting, clock }) } = options
      const webhookSecrets = createWebhookSecrets(keyringCipher(keyring))
      observer.deliveriesOpened?.(() => readQueue(stores, clock))
      const reseal = async () => {
        if (keyring.previousFingerprint !== undefined) await resealSecrets(stores, webhookSecrets, log)
      }

      function startJob(): Job {
        const worker = startDeliveries({
          stores,
          clock,
          log,
          newId,
          random: Math.random,
          addEvents: eventSink.add,
          addAuditEntries: core.addAuditEntries,
          onCommitted,
          observer,
          limits,
          sign: (webhook, message) => signWebhook({ ...message, secrets: webhookSecrets.open(webhook, clock.now()) }),
          outbound,
          sendMail: mailSender({
            mailer,
            eventTypes,
            addressesOf: (owner) => stores.read((view) => addressesOf(view, owner)),
          }),
        })
        const resealing = reseal()
        return {
          wake: worker.wake,
          async stop() {
            await worker.stop()
            await resealing
            outbound.close()
            mailer?.close?.()
          },
        }
      }

      return {
        eventSink,
        services: { eventSink, eventFeed, eventTypes, outbound, mailer, webhookSecrets, log },
        start: eventSink.load,
        async removeExpired({ now, daysAgo, inBatches }) {
          await reseal()
          // Deliveries first, so that no delivery lacks its event.
          await inBatches((tx, limit) => tx.deliveries.purge(daysAgo(eventDays), limit))
          for (const [status, max] of [
            ['delivered', limits.maxDelivered],
            // As many as can fail at once stay recoverable.
            ['failed', limits.maxPending],
          ] as const) {
            for (const id of await stores.read((view) => view.deliveries.crowded(status, max))) {
              await inBatches((tx, limit) => tx.deliveries.removeExcess(id, { status, max, limit }))
            }
          }
          await inBatches((tx, limit) => tx.events.purge(daysAgo(eventDays), limit))
          await inBatches((tx, limit) => tx.webhooks.purgeStreams(now, limit))
        },
        startJob,
      }
    },
  })
}

/** A delivery is retried for more than three days. */
const minEventDays = 5

const networksSetting = 'FAIRLEAD_WEBHOOKS_ALLOW_NETWORKS'

/**
 * The email address of a user, or the addresses of a project's owners. Without those that are not verified, which may
 * belong to anybody. None without accounts, and for one that was deleted.
 */
async function addressesOf(
  { users, members }: WebhooksView & Partial<Pick<AccountView, 'users' | 'members'>>,
  ownerId: string,
): Promise<readonly string[]> {
  const user = await users?.find(ownerId)
  if (user) return verified([user])
  const found = (await members?.list(ownerId, { first: 'oldest', limit: 1_000 })) ?? []
  const owners = found.filter(({ role }) => role === 'owner').map(({ userId }) => userId)
  return verified((await users?.findMany(owners)) ?? [])
}

function verified(users: readonly UserRow[]): readonly string[] {
  return users.flatMap(({ email, emailVerified }) => (emailVerified ? email : []))
}

function readQueue(stores: WebhookStores, clock: Clock): Promise<DeliveryQueue> {
  return stores.read(async ({ deliveries, webhooks: view }) => {
    const { pending, dueSince } = await deliveries.queue()
    const overdueMs = dueSince === null ? 0 : Math.max(0, clock.now() - dueSince)
    return { pending, overdueMs, disabledWebhooks: await view.countDisabled() }
  })
}
