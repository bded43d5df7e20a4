import { createHmac, createSecretKey, type KeyObject, randomBytes } from 'node:crypto'

const secretPattern = /^whsec_([A-Za-z0-9+/]+={0,2})$/
const secretBytes = 32

/** The minimum of Standard Webhooks: with a truncated secret, anyone could forge signatures. */
const minSecretBytes = 24

/** Creates the signing secret of one webhook: `whsec_` and the base64 of 32 random bytes. */
export function createWebhookSecret(): string {
  return `whsec_${randomBytes(secretBytes).toString('base64')}`
}

export interface WebhookSigningInput {
  /** The header `webhook-id`, the same for every attempt. */
  readonly id: string
  /** The header `webhook-timestamp`: when this attempt is sent, in Unix seconds. */
  readonly timestamp: number
  /** The exact body of the request. */
  readonly body: string | Uint8Array
  /** One secret, or the new and the old one while a secret rotates. */
  readonly secrets: readonly string[]
}

/**
 * Signs a delivery as [Standard Webhooks](https://www.standardwebhooks.com) defines. Returns the header
 * `webhook-signature`: one `v1,<base64>` per secret, separated by spaces. Throws a `TypeError` for a malformed secret,
 * or without any.
 */
export function signWebhook({ id, timestamp, body, secrets }: WebhookSigningInput): string {
  if (secrets.length === 0) throw new TypeError('Signing a webhook needs at least one secret')
  return secrets.map((secret) => `v1,${hmac(readKey(secret), `${id}.${timestamp}.`, body)}`).join(' ')
}

function hmac(key: KeyObject, prefix: string, body: string | Uint8Array): string {
  return createHmac('sha256', key).update(prefix).update(body).digest('base64')
}

const maxKeys = 1_000
/** As key objects: for plain bytes, Node.js creates a key object for each signature. */
const keys = new Map<string, KeyObject>()

function readKey(secret: string): KeyObject {
  const found = keys.get(secret)
  if (found) return found
  const bytes = Buffer.from(secretPattern.exec(secret)?.[1] ?? '', 'base64')
  if (bytes.length < minSecretBytes) {
    throw new TypeError('The webhook secret is missing or malformed: it must be "whsec_" followed by base64')
  }
  const key = createSecretKey(bytes)
  if (keys.size >= maxKeys) keys.clear()
  keys.set(secret, key)
  return key
}
