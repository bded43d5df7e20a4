import { randomFillSync } from 'node:crypto'

export const idPrefixes = ['req', 'gen', 'img', 'usr', 'key', 'shp', 'whk', 'evt', 'dlv', 'ses', 'run'] as const
export type IdPrefix = (typeof idPrefixes)[number]

/** Makes ids of one scheme: `<prefix>_<digits>`. */
export type NewId = (prefix: IdPrefix) => string

/** 48 bits of milliseconds and 80 random ones make 37 digits from 2004 to 2232. */
const idPattern = new RegExp(`^(?:${idPrefixes.join('|')})_\\d{37}$`)

/** Sorts before every id of that prefix that was made at that instant or later, and after all that were made before. */
export function earliestId(prefix: IdPrefix, at: number): string {
  return `${prefix}_${BigInt(at) << 80n}`
}

/** When the id was made, in milliseconds since the epoch. */
export function madeAt(id: string): number {
  return Number(BigInt(id.slice(id.indexOf('_') + 1)) >> 80n)
}

/** Whether a text has the shape of an id, and of that prefix where one is given. */
export function isId(text: string, prefix?: IdPrefix): boolean {
  return idPattern.test(text) && (prefix === undefined || text.startsWith(`${prefix}_`))
}

const randomBytesPerId = 10
const poolSize = randomBytesPerId * 512

/**
 * The digits are one 128-bit number: milliseconds since the epoch in the upper 48 bits, so that ids sort by time,
 * and 80 random bits below, so that an id can't be guessed.
 *
 * @param now milliseconds since the epoch
 * @param fill fills a buffer with random bytes
 */
export function createIds(now: () => number, fill: (buffer: Uint8Array) => unknown = randomFillSync): NewId {
  const pool = new Uint8Array(poolSize)
  const view = new DataView(pool.buffer)
  let offset = poolSize
  return (prefix) => {
    if (offset === poolSize) {
      fill(pool)
      offset = 0
    }
    const high = BigInt(view.getUint16(offset))
    const low = view.getBigUint64(offset + 2)
    offset += randomBytesPerId
    return `${prefix}_${(BigInt(now()) << 80n) | (high << 64n) | low}`
  }
}

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** Writes a number in base 62, with leading zeros up to the length. */
export function base62(value: bigint, length: number): string {
  let digits = ''
  for (let rest = value; digits.length < length; rest /= 62n) digits = alphabet[Number(rest % 62n)] + digits
  return digits
}

/** Reads a number that `base62` wrote. */
export function readBase62(digits: string): bigint {
  let value = 0n
  for (const digit of digits) value = value * 62n + BigInt(alphabet.indexOf(digit))
  return value
}

/** Bytes as one number. */
export function numberOf(bytes: Uint8Array): bigint {
  return BigInt(`0x${Buffer.from(bytes).toString('hex')}`)
}
