import { isFuture } from '@fairlead/core/stores'
import { type Cipher, lruCache } from '@fairlead/core/feature'
import type { Log } from '@fairlead/core'
import { createWebhookSecret } from './deliveries/signature.ts'
import { previousSecretMs } from './webhook.ts'
import type { WebhookRow, WebhookStores } from './webhook-store.ts'

/** Secrets kept decrypted, because decrypting one for each attempt costs more than the signature. */
const maxOpened = 1_000

/** The error of attempts whose webhook has a secret that this process cannot decrypt. */
export const unreadable = 'secret'

/** This process does not have the secret key that encrypted the secret. Another node may have it while the key rotates. */
export class UnreadableSecret extends Error {
  readonly kind = unreadable

  constructor(webhookId: string) {
    super(`The secret keys of this node cannot decrypt the secret of webhook ${webhookId}`)
  }
}

export type WebhookSecrets = ReturnType<typeof createWebhookSecrets>

/** The signing secrets of webhooks, encrypted at rest. */
export function createWebhookSecrets(cipher: Cipher) {
  const opened = lruCache<string>(maxOpened)

  function unseal(sealed: string, webhookId: string): string {
    const key = `${webhookId} ${sealed}`
    const secret = opened.get(key) ?? cipher.open(sealed, webhookId)
    if (secret !== undefined) {
      opened.set(key, secret)
      return secret
    }
    throw new UnreadableSecret(webhookId)
  }

  return {
    create(webhookId: string): { readonly secret: string; readonly sealed: string } {
      const secret = createWebhookSecret()
      return { secret, sealed: cipher.seal(secret, webhookId) }
    },
    /** Decrypts the secrets that sign at that time, the newest first. Throws `UnreadableSecret`. */
    open({ id, secret, previousSecret, previousSecretUntil }: WebhookRow, now: number): readonly string[] {
      // One that signs for longer was rotated while the clock was wrong.
      const signsToo =
        previousSecret !== null &&
        previousSecretUntil !== null &&
        previousSecretUntil > now &&
        !isFuture(previousSecretUntil, now + previousSecretMs)
      return [secret, ...(signsToo ? [previousSecret] : [])].map((sealed) => unseal(sealed, id))
    },
    /** Whether the current secret key of the service encrypted its secrets. */
    isCurrent: ({ id, secret, previousSecret }: WebhookRow) =>
      [secret, previousSecret].every((sealed) => sealed === null || cipher.isCurrent(sealed, id)),
    /** Returns the webhook with its secrets encrypted with the current secret key of the service. */
    reseal(webhook: WebhookRow): WebhookRow {
      const { id, secret, previousSecret } = webhook
      const resealed = (sealed: string) => cipher.seal(unseal(sealed, id), id)
      return {
        ...webhook,
        secret: resealed(secret),
        previousSecret: previousSecret === null ? null : resealed(previousSecret),
      }
    },
  }
}

const pageSize = 100

/**
 * Encrypts the secrets of all webhooks with the current secret key of the service, so that the previous one can be
 * removed. A webhook whose secret neither key decrypts is left as it is. Never rejects: errors are logged.
 *
 * Repeat it: during a rotation, another node may still encrypt with the previous one.
 */
export async function resealSecrets(stores: WebhookStores, secrets: WebhookSecrets, log: Log): Promise<void> {
  const message = 'could not encrypt webhook secrets with the current secret key'
  let after: WebhookRow | undefined
  try {
    do {
      const slice = { first: 'oldest', limit: pageSize, ...(after && { after }) } as const
      const page = await stores.read((view) => view.webhooks.list({}, slice))
      for (const { id } of page.filter((webhook) => !secrets.isCurrent(webhook))) {
        await resealOne(stores, secrets, id).catch((error: unknown) => log.error({ webhookId: id, error }, message))
      }
      after = page.length === pageSize ? page.at(-1) : undefined
    } while (after)
  } catch (error) {
    log.error({ error }, message)
  }
}

function resealOne(stores: WebhookStores, secrets: WebhookSecrets, id: string): Promise<void> {
  return stores.transact(async (tx) => {
    const webhook = await tx.webhooks.take(id)
    if (webhook) await tx.webhooks.replace(secrets.reseal(webhook))
  })
}
