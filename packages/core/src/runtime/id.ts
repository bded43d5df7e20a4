import { randomFillSync } from 'node:crypto'

/** Generates an id of the form `<prefix>_<digits>`. A prefix has 2 to 16 lowercase letters. */
export type NewId = (prefix: string) => string

/** From 2004 to 2232, 48 bits of milliseconds and 80 random bits have 37 digits. */
const idPattern = /^[a-z]{2,16}_\d{37}$/

/** Sorts before all ids generated at that time or later, and after all earlier ones. */
export function earliestId(prefix: string, at: number): string {
  return `${prefix}_${BigInt(at) << 80n}`
}

/** When the id was generated, in milliseconds since the epoch. */
export function madeAt(id: string): number {
  return Number(BigInt(id.slice(id.indexOf('_') + 1)) >> 80n)
}

/** Whether a text is a well-formed id, with that prefix if one is given. */
export function isId(text: string, prefix?: string): boolean {
  return idPattern.test(text) && (prefix === undefined || text.startsWith(`${prefix}_`))
}

const randomBytesPerId = 10
const poolSize = randomBytesPerId * 512

/**
 * Creates an id generator. The digits are one 128-bit number: milliseconds since the epoch in the upper 48 bits, so that
 * ids sort by time, and 80 random bits, so that they cannot be guessed.
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
