import { createHash, createSign, generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto'

/** The faults that a test may request. */
export interface Faults {
  /** The origin of the page. */
  readonly origin?: string
  readonly rpId?: string
  readonly type?: string
  /** Whether somebody touched the authenticator. */
  readonly isPresent?: boolean
  readonly isVerified?: boolean
  readonly counter?: number
  /** Signs for another passkey of the authenticator. */
  readonly signedBy?: Authenticator
  readonly userHandle?: string | null
  readonly format?: string
  readonly statement?: Readonly<Record<string, Cbor>>
}

type Cbor =
  | number
  | string
  | Uint8Array
  | readonly Cbor[]
  | { readonly [name: string]: Cbor }
  | ReadonlyMap<number, Cbor>

const flags = { present: 0x01, verified: 0x04, backedUp: 0x18, attested: 0x40 } as const

/** A browser with an authenticator that has one passkey: ES256, without attestation (WebAuthn, 6.1 and 6.5). */
export class Authenticator {
  /** The page by default. */
  static readonly origin = 'https://ai.example.com'
  readonly id = randomBytes(16)
  readonly #key: KeyObject
  readonly #publicKey: ReadonlyMap<number, Cbor>
  #counter = 0
  #userHandle: string | undefined

  constructor() {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
    this.#key = privateKey
    // A key in the form of COSE (RFC 9053): EC2, ES256, P-256, x, y.
    this.#publicKey = new Map<number, Cbor>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, Buffer.from(x, 'base64url')],
      [-3, Buffer.from(y, 'base64url')],
    ])
  }

  /** The result of `navigator.credentials.create`, as JSON. */
  create(options: Readonly<Record<string, unknown>>, faults: Faults = {}) {
    const { rp, user, challenge } = options as { rp: { id: string }; user: { id: string }; challenge: string }
    this.#userHandle = user.id
    const length = Buffer.alloc(2)
    length.writeUInt16BE(this.id.length)
    const attested = Buffer.concat([Buffer.alloc(16), length, this.id, encode(this.#publicKey)])
    const authData = Buffer.concat([this.#authenticatorData(rp.id, flags.attested, faults), attested])
    const { format = 'none', statement = {} } = faults
    return this.#credential({
      clientDataJSON: clientData('webauthn.create', challenge, faults),
      attestationObject: encode({ fmt: format, attStmt: statement, authData }).toString('base64url'),
      transports: ['internal'],
    })
  }

  /** The result of `navigator.credentials.get`, as JSON. */
  get(options: Readonly<Record<string, unknown>>, faults: Faults = {}) {
    const { rpId, challenge } = options as { rpId: string; challenge: string }
    this.#counter++
    const authenticatorData = this.#authenticatorData(rpId, 0, faults)
    const clientDataJSON = clientData('webauthn.get', challenge, faults)
    const hash = createHash('sha256').update(Buffer.from(clientDataJSON, 'base64url')).digest()
    const signed = Buffer.concat([authenticatorData, hash])
    const { signedBy = this, userHandle = this.#userHandle } = faults
    return this.#credential({
      clientDataJSON,
      authenticatorData: authenticatorData.toString('base64url'),
      signature: createSign('sha256').update(signed).sign(signedBy.#key).toString('base64url'),
      userHandle,
    })
  }

  #authenticatorData(rpId: string, extra: number, faults: Faults): Buffer {
    const { isPresent = true, isVerified = true, counter = this.#counter } = faults
    const bits = (isPresent ? flags.present : 0) | (isVerified ? flags.verified : 0) | flags.backedUp | extra
    const tail = Buffer.alloc(5)
    tail.writeUInt8(bits)
    tail.writeUInt32BE(counter, 1)
    return Buffer.concat([
      createHash('sha256')
        .update(faults.rpId ?? rpId)
        .digest(),
      tail,
    ])
  }

  #credential(response: object) {
    const id = this.id.toString('base64url')
    return {
      id,
      rawId: id,
      type: 'public-key',
      authenticatorAttachment: 'platform',
      clientExtensionResults: {},
      response,
    }
  }
}

function clientData(type: string, challenge: string, faults: Faults): string {
  const data = {
    type: faults.type ?? type,
    challenge,
    origin: faults.origin ?? Authenticator.origin,
    crossOrigin: false,
  }
  return Buffer.from(JSON.stringify(data)).toString('base64url')
}

/** The part of CBOR (RFC 8949) that authenticators write. */
function encode(value: Cbor): Buffer {
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value)
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)])
  if (value instanceof Uint8Array) return Buffer.concat([head(2, value.length), value])
  if (Array.isArray(value)) return Buffer.concat([head(4, value.length), ...value.map(encode)])
  const entries = value instanceof Map ? [...value] : Object.entries(value as Record<string, Cbor>)
  return Buffer.concat([head(5, entries.length), ...entries.flatMap(([key, each]) => [encode(key), encode(each)])])
}

function head(major: number, size: number): Buffer {
  if (size < 24) return Buffer.from([(major << 5) | size])
  return size < 256 ? Buffer.from([(major << 5) | 24, size]) : Buffer.from([(major << 5) | 25, size >> 8, size & 255])
}
