import {
  type KeyObject,
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  createSecretKey,
  hkdfSync,
  randomBytes,
} from 'node:crypto'

/**
 * The secret key of the service, and during a rotation the other one: before all nodes know the new key, that is the new one,
 * and then the old one. Both open what either has signed or encrypted.
 */
export interface SecretKeys {
  /** Text with at least 128 bits of entropy. */
  readonly current: string
  /** Opens too, but neither signs nor encrypts. */
  readonly previous?: string
}

export type Keyring = ReturnType<typeof createKeyring>

/**
 * Creates message authentication codes with keys derived from the secret key, one for each purpose.
 *
 * @param keys default: a random key, lost when the process ends
 */
export function createKeyring(keys: SecretKeys = { current: randomBytes(32).toString('hex') }) {
  const all = [keys.current, keys.previous].filter((key) => key !== undefined)
  const derived = new Map<string, readonly KeyObject[]>()

  /** As key objects: for plain bytes, Node.js creates a key object for each code, which takes five times as long. */
  function keysFor(purpose: string): readonly KeyObject[] {
    let found = derived.get(purpose)
    if (!found) derived.set(purpose, (found = all.map((key) => createSecretKey(derive(key, purpose)))))
    return found
  }

  const macs = (purpose: string, text: string): readonly Uint8Array[] =>
    keysFor(purpose).map((key) => createHmac('sha256', key).update(text).digest())
  return {
    /** Returns 32 bytes, computed with the current key. */
    mac: (purpose: string, text: string) => macs(purpose, text)[0] as Uint8Array,
    /** Returns a code by the current key, and one by the previous key if there is one. */
    macs,
    /** Identifies the current key without revealing it. */
    fingerprint: fingerprintKey(keys.current),
    previousFingerprint: keys.previous === undefined ? undefined : fingerprintKey(keys.previous),
  }
}

/** HKDF (RFC 5869). */
function derive(key: string, purpose: string): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', key, '', `fairlead ${purpose}`, 32))
}

function fingerprintKey(key: string): string {
  return createHash('sha256').update(derive(key, 'fingerprint')).digest('hex').slice(0, 32)
}

/** Encrypts and decrypts stored texts, as `keyringCipher` creates it. */
export type Cipher = ReturnType<typeof keyringCipher>

const algorithm = 'aes-256-gcm'
const version = Uint8Array.of(1)
const nonceBytes = 12
const tagBytes = 16

/**
 * Encrypts stored texts with AES-256-GCM, so that access to the store alone does not reveal them. Each context has its own derived key, so that no key encrypts often enough for a random
 * nonce to repeat (NIST SP 800-38D, 8.3).
 */
export function keyringCipher(keyring: Pick<Keyring, 'macs'>) {
  const cipherKeys = (context: string) => keyring.macs('cipher', context)

  function openWithAny(keys: readonly Uint8Array[], sealed: string): string | undefined {
    const bytes = Buffer.from(sealed, 'base64')
    if (bytes[0] !== version[0] || bytes.length < version.length + nonceBytes + tagBytes) return undefined
    for (const key of keys) {
      const text = openWith(key, bytes.subarray(version.length))
      if (text !== undefined) return text
    }
    return undefined
  }

  return {
    /** @param context the record that the text belongs to: it can be decrypted only with the same context */
    seal(text: string, context: string): string {
      const [key] = cipherKeys(context)
      if (!key) throw new Error('the keyring has no key')
      const nonce = randomBytes(nonceBytes)
      const cipher = createCipheriv(algorithm, key, nonce)
      const body = [cipher.update(text, 'utf8'), cipher.final()]
      return Buffer.concat([version, nonce, ...body, cipher.getAuthTag()]).toString('base64')
    },
    /** Undefined if the text was modified, or encrypted for another context or with another key. */
    open: (sealed: string, context: string) => openWithAny(cipherKeys(context), sealed),
    /** Whether the current key encrypted the text. */
    isCurrent: (sealed: string, context: string) => openWithAny(cipherKeys(context).slice(0, 1), sealed) !== undefined,
  }
}

function openWith(key: Uint8Array, bytes: Buffer): string | undefined {
  const decipher = createDecipheriv(algorithm, key, bytes.subarray(0, nonceBytes), { authTagLength: tagBytes })
  decipher.setAuthTag(bytes.subarray(-tagBytes))
  try {
    return decipher.update(bytes.subarray(nonceBytes, -tagBytes), undefined, 'utf8') + decipher.final('utf8')
  } catch {
    return undefined // The authentication tag does not match.
  }
}
