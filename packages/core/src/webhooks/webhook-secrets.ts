import type { Cipher } from '../runtime/keyring.ts'
import { createWebhookSecret } from './signature.ts'
import type { Webhook } from './webhook-store.ts'

/** The signing secrets of webhooks, encrypted at rest. */
export interface WebhookSecrets {
  create(webhookId: string): { readonly secret: string; readonly sealed: string }
  /** Decrypts the secrets that sign at that time, the newest first. Throws if the secret key of the service has changed. */
  open(webhook: Webhook, now: number): readonly string[]
}

export function createWebhookSecrets(cipher: Cipher): WebhookSecrets {
  function unseal(sealed: string, webhookId: string): string {
    const secret = cipher.open(sealed, webhookId)
    if (secret !== undefined) return secret
    throw new Error(`The secret of webhook ${webhookId} cannot be decrypted: the secret key of the service has changed`)
  }

  return {
    create(webhookId) {
      const secret = createWebhookSecret()
      return { secret, sealed: cipher.seal(secret, webhookId) }
    },
    open({ id, secret, previousSecret, previousSecretUntil }, now) {
      const signsToo = previousSecret !== null && previousSecretUntil !== null && previousSecretUntil > now
      return [secret, ...(signsToo ? [previousSecret] : [])].map((sealed) => unseal(sealed, id))
    },
  }
}
