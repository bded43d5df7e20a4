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

/** The house's secret key, and the one before it while tokens made with that are still about. */
export interface SecretKeys {
  /** Text with at least 128 bits of chance in it. */
  readonly current: string
  readonly previous?: string
}

/** Makes authentication codes that only this house can make. Each purpose has a key of its own. */
export interface Keyring {
  /** 32 bytes, made with the current key. */
  mac(purpose: string, text: string): Uint8Array
  /** What the current key makes, and the previous one where there is one. */
  macs(purpose: string, text: string): readonly Uint8Array[]
  /** What tells the current key from others without telling the key. */
  readonly fingerprint: string
  readonly previousFingerprint: string | undefined
}

/** @param keys default: a key that nobody knows, gone with the process */
export function createKeyring(keys: SecretKeys = { current: randomBytes(32).toString('hex') }): Keyring {
  const all = [keys.current, keys.previous].filter((key) => key !== undefined)
  const derived = new Map<string, readonly KeyObject[]>()

  /** As key objects: of a key in plain bytes Node would make one for each code, at five times the cost. */
  function keysFor(purpose: string): readonly KeyObject[] {
    let found = derived.get(purpose)
    if (!found) derived.set(purpose, (found = all.map((key) => createSecretKey(derive(key, purpose)))))
    return found
  }

  const macs = (purpose: string, text: string) =>
    keysFor(purpose).map((key) => createHmac('sha256', key).update(text).digest())
  return {
    mac: (purpose, text) => macs(purpose, text)[0] as Uint8Array,
    macs,
    fingerprint: fingerprintOf(keys.current),
    previousFingerprint: keys.previous === undefined ? undefined : fingerprintOf(keys.previous),
  }
}

/** HKDF (RFC 5869). */
function derive(key: string, purpose: string): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', key, '', `fairlead ${purpose}`, 32))
}

function fingerprintOf(key: string): string {
  return createHash('sha256').update(derive(key, 'fingerprint')).digest('hex').slice(0, 32)
}

/** Keeps what is stored from whoever has the store alone. */
export interface Cipher {
  /** @param context what the text belongs to: it opens nowhere else */
  seal(text: string, context: string): string
  /** Undefined where it was sealed for another context, or with a key that is not known here, or is not as it was. */
  open(sealed: string, context: string): string | undefined
}

const algorithm = 'aes-256-gcm'
const version = Uint8Array.of(1)
const nonceBytes = 12
const tagBytes = 16

/**
 * Seals with AES-256-GCM. Each context has a key of its own, derived from the house's: so a text opens in no other
 * context, and no key seals so often that a random nonce could come twice (NIST SP 800-38D, 8.3).
 */
export function keyringCipher(keyring: Pick<Keyring, 'macs'>): Cipher {
  const keysOf = (context: string) => keyring.macs('cipher', context)
  return {
    seal(text, context) {
      const [key] = keysOf(context)
      if (!key) throw new Error('the keyring has no key')
      const nonce = randomBytes(nonceBytes)
      const cipher = createCipheriv(algorithm, key, nonce)
      const body = [cipher.update(text, 'utf8'), cipher.final()]
      return Buffer.concat([version, nonce, ...body, cipher.getAuthTag()]).toString('base64')
    },
    open(sealed, context) {
      const bytes = Buffer.from(sealed, 'base64')
      if (bytes[0] !== version[0] || bytes.length < version.length + nonceBytes + tagBytes) return undefined
      for (const key of keysOf(context)) {
        const text = openWith(key, bytes.subarray(version.length))
        if (text !== undefined) return text
      }
      return undefined
    },
  }
}

function openWith(key: Uint8Array, bytes: Buffer): string | undefined {
  const decipher = createDecipheriv(algorithm, key, bytes.subarray(0, nonceBytes), { authTagLength: tagBytes })
  decipher.setAuthTag(bytes.subarray(-tagBytes))
  try {
    return decipher.update(bytes.subarray(nonceBytes, -tagBytes), undefined, 'utf8') + decipher.final('utf8')
  } catch {
    return undefined // The tag does not fit.
  }
}
