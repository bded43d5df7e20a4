import type { IncomingMessage } from 'node:http'
import { totalmem } from 'node:os'
import { getHeapStatistics } from 'node:v8'
import { FairleadError } from '@fairlead/core'
import { isPublicAddress, type JsonScan, readNetwork } from '@fairlead/core/adapter'
import { declaredLength, describeExcess } from './json-body.ts'

/** Smaller bodies count for the process alone: one account has too few connections to fill much with them. */
export const smallBodyBytes = 65_536
/** The largest body that any surface accepts by default, which is Anthropic's. */
export const largestBodyBytes = 32 * 1_048_576
const shareOfMemory = 1 / 4
/** The share of the room that one account, or one network, may hold. */
const shareOfRoom = 1 / 4
const retryAfterMs = 1_000

export interface BodyRoomOptions {
  /**
   * The bytes of request bodies that the process holds at most: at least the largest body. Default: a quarter of the
   * memory that the process may use.
   */
  readonly maxBytes?: number | undefined
  /** The size of the largest body. An account and a network may always hold one. Default: 32 MiB. */
  readonly maxBodyBytes?: number | undefined
  /** How many processes share the memory of the machine. Default: 1. */
  readonly processes?: number | undefined
}

/** Whose body it is. */
export interface BodyOwner {
  /** The client's network address. */
  readonly address: string
  /** The id of the user or the project. Undefined if it is not known. */
  readonly account: string | undefined
}

/**
 * Limits the bytes of request bodies that a process holds, and with it each account and each network. A body counts from
 * before it is read until its request has ended, because what was parsed of it is in memory that long. Give the same room to
 * all adapters of a process.
 *
 * @example
 *   const bodyRoom = createBodyRoom({ maxBytes: 256 * 1_048_576 })
 *   app.use('/ai', restAdapter(fairlead.core, { service, bodyRoom }))
 *   app.use('/openai/v1', openaiAdapter(fairlead.core, { bodyRoom }))
 */
export function createBodyRoom(options: BodyRoomOptions = {}): BodyRoom {
  return new BodyRoom(options)
}

let ofProcess: BodyRoom | undefined

/** The room that adapters share by default. */
export function defaultBodyRoom(): BodyRoom {
  return (ofProcess ??= new BodyRoom({}))
}

export class BodyRoom {
  readonly maxBytes: number
  readonly maxShareBytes: number
  #heldBytes = 0
  readonly #shares = new Map<string, number>()

  constructor({ maxBytes, maxBodyBytes = largestBodyBytes, processes = 1 }: BodyRoomOptions) {
    this.maxBytes = Math.max(Math.floor(maxBytes ?? memoryPerProcess(processes) * shareOfMemory), maxBodyBytes)
    this.maxShareBytes = Math.max(Math.floor(this.maxBytes * shareOfRoom), maxBodyBytes)
  }

  /** Of all bodies now. */
  get heldBytes(): number {
    return this.#heldBytes
  }

  hold(owner: BodyOwner): BodyHold {
    return new BodyHold(this, owner)
  }

  /** @returns whether there was room; if not, nothing has changed */
  add(bytes: number): boolean {
    if (this.#heldBytes + bytes > this.maxBytes) return false
    this.#heldBytes += bytes
    return true
  }

  /** @param sharedBytes those that are new to the shares */
  addShared(bytes: number, sharedBytes: number, shares: readonly string[]): boolean {
    const isFull = shares.some((share) => (this.#shares.get(share) ?? 0) + sharedBytes > this.maxShareBytes)
    if (isFull || !this.add(bytes)) return false
    for (const share of shares) this.#shares.set(share, (this.#shares.get(share) ?? 0) + sharedBytes)
    return true
  }

  remove(bytes: number, shares: readonly string[]): void {
    this.#heldBytes -= bytes
    for (const share of shares) {
      const left = (this.#shares.get(share) ?? 0) - bytes
      if (left > 0) this.#shares.set(share, left)
      else this.#shares.delete(share)
    }
  }
}

const none: readonly string[] = []

/** The part of the room that one request holds. */
export class BodyHold {
  readonly #room: BodyRoom
  readonly #owner: BodyOwner
  #bytes = 0
  #shares = none
  #hasEnded = false

  constructor(room: BodyRoom, owner: BodyOwner) {
    this.#room = room
    this.#owner = owner
  }

  /** @returns whether there was room for more bytes */
  take(bytes: number): boolean {
    if (this.#hasEnded) return true
    const all = this.#bytes + bytes
    if (all <= smallBodyBytes) {
      if (!this.#room.add(bytes)) return false
    } else {
      const isNew = this.#shares === none
      const shares = isNew ? findShares(this.#owner) : this.#shares
      if (!this.#room.addShared(bytes, isNew ? all : bytes, shares)) return false
      this.#shares = shares
    }
    this.#bytes = all
    return true
  }

  /** The request has ended: it holds nothing from now on. */
  end(): void {
    if (this.#hasEnded) return
    this.#hasEnded = true
    this.#room.remove(this.#bytes, this.#shares)
  }
}

/**
 * A private address may belong to a proxy, or to a service with many users: bytes from there count for their accounts.
 */
function findShares({ account, address }: BodyOwner): readonly string[] {
  if (account === undefined) return [readNetwork(address)]
  return isPublicAddress(address) ? [account, readNetwork(address)] : [account]
}

/** The error for a body that has no room. */
export function noRoomError(): FairleadError {
  return new FairleadError('SERVICE_UNAVAILABLE', 'Too many large requests are in progress. Try again later.', {
    retryAfterMs,
  })
}

/** The memory that one process may use, in bytes. Unlimited ones report none, or more than the machine has. */
function memoryPerProcess(processes: number): number {
  const limit = process.constrainedMemory()
  const machine = Math.min(limit > 0 ? limit : Infinity, totalmem())
  return Math.min(machine / processes, getHeapStatistics().heap_size_limit)
}

/**
 * Reads the body of a request. Undefined as soon as it has more than `maxBytes`, or the scan rejects it. Rejects where the
 * client disconnects before the end. A body that was read before, such as by `express.json()`, is taken from `request.body`,
 * where such middleware leaves it, with the same limits.
 *
 * @param scan reads the body as it arrives. Default: only the length is checked.
 * @param hold of the room for the body; rejects with `SERVICE_UNAVAILABLE` if there is none. Default: there is room
 */
export function readBody(
  request: IncomingMessage,
  maxBytes: number,
  scan?: JsonScan,
  hold?: BodyHold,
): Promise<Buffer | undefined> {
  return new Promise((resolve, reject) => {
    // Neither event is emitted again.
    if (request.errored) throw request.errored
    if (request.readableEnded) {
      const body = bodyReadBefore(request)
      if (body.length > maxBytes || scan?.add(body) === false) return resolve(undefined)
      if (hold?.take(body.length) === false) throw noRoomError()
      return resolve(body)
    }
    const declared = declaredLength(request)
    request.on('error', reject)
    // The rest is discarded, so that the client can read the response.
    if (declared > maxBytes) {
      request.resume()
      return resolve(undefined)
    }
    if (declared > 0 && hold?.take(declared) === false) {
      request.resume()
      throw noRoomError()
    }
    let parts: BodyParts | undefined = new BodyParts(declared)
    const take = (chunk: Buffer) => {
      if (!parts) return
      if (parts.length + chunk.length > maxBytes || scan?.add(chunk) === false) resolve(undefined)
      else if (declared === 0 && hold?.take(chunk.length) === false) reject(noRoomError())
      else return parts.add(chunk)
      parts = undefined
    }
    const end = () => {
      resolve(parts?.join())
      // The request keeps what listens, and with it the body, until the response has ended.
      parts = undefined
    }
    request.on('data', take).on('end', end)
  })
}

/** The body as far as it has arrived. A large one of a known length is written to its place: its parts would be copied. */
class BodyParts {
  length = 0
  #chunks: Buffer[] | undefined
  #whole: Buffer | undefined

  constructor(declared: number) {
    if (declared > smallBodyBytes) this.#whole = Buffer.allocUnsafeSlow(declared)
  }

  add(chunk: Buffer): void {
    if (this.#whole && this.length + chunk.length > this.#whole.length) {
      this.#chunks = [this.#whole.subarray(0, this.length)]
      this.#whole = undefined
    }
    if (this.#whole) this.#whole.set(chunk, this.length)
    // Most bodies arrive in one chunk.
    else if (this.#chunks) this.#chunks.push(chunk)
    else this.#chunks = [chunk]
    this.length += chunk.length
  }

  join(): Buffer {
    if (this.#whole) return this.#whole.subarray(0, this.length)
    return this.#chunks?.length === 1 ? this.#chunks[0]! : Buffer.concat(this.#chunks ?? [])
  }
}

function bodyReadBefore(request: IncomingMessage & { readonly body?: unknown }): Buffer {
  const { body } = request
  if (Buffer.isBuffer(body)) return body
  if (typeof body === 'string') return Buffer.from(body)
  if (body !== undefined) return Buffer.from(serialized(body))
  // Nothing was read of an empty body.
  if (!request.readableDidRead) return Buffer.alloc(0)
  throw new FairleadError(
    'INTERNAL_ERROR',
    'The request body was read before it reached Fairlead. Mount the adapter before the body parser, or set `request.body` of the Node.js request to the parsed body.',
  )
}

function serialized(body: unknown): string {
  try {
    return JSON.stringify(body)
  } catch (error) {
    // The recursion of JSON.stringify is limited by the stack.
    throw new FairleadError('INVALID_REQUEST', describeExcess('depth', 0), { cause: error })
  }
}
