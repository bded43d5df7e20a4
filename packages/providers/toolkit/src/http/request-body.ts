import { ProviderError } from '@fairlead/core/provider'
import { writeJson } from './write-json.ts'

/** Bytes, forms, and files, which are sent as they are. */
export type RawBody = FormData | URLSearchParams | Blob | ArrayBuffer | Uint8Array | AsyncIterable<Uint8Array>

/** The body of a request, and its type. */
export interface WrittenBody {
  readonly contentType: string
  readonly body: string | Uint8Array | AsyncIterable<Uint8Array>
}

const json = 'application/json'
const bytes = 'application/octet-stream'

/** A promise for a body that is not JSON. Rejects with `invalid_request` if it has more than `maxBytes` bytes. */
export function writeBody(body: unknown, maxBytes: number): WrittenBody | Promise<WrittenBody> {
  return isRaw(body) ? writeRaw(body, maxBytes) : { contentType: json, body: writeJson(body) }
}

/** Whether the body can be sent only once. */
export function isStream(body: unknown): body is AsyncIterable<Uint8Array> {
  return typeof body === 'object' && body !== null && Symbol.asyncIterator in body
}

const rawKinds = [FormData, URLSearchParams, Blob, ArrayBuffer, Uint8Array]

function isRaw(body: unknown): body is RawBody {
  if (typeof body !== 'object' || body === null || Object.getPrototypeOf(body) === Object.prototype) return false
  return isStream(body) || rawKinds.some((kind) => body instanceof kind)
}

async function writeRaw(raw: RawBody, maxBytes: number): Promise<WrittenBody> {
  if (isStream(raw)) return { contentType: bytes, body: limited(raw, maxBytes) }
  const packed = new Response(raw as ConstructorParameters<typeof Response>[0])
  const body = new Uint8Array(await packed.arrayBuffer())
  if (body.length > maxBytes) throw tooLarge(maxBytes)
  return { contentType: packed.headers.get('content-type') ?? bytes, body }
}

async function* limited(pieces: AsyncIterable<Uint8Array>, maxBytes: number): AsyncGenerator<Uint8Array> {
  let size = 0
  for await (const piece of pieces) {
    size += piece.length
    if (size > maxBytes) throw tooLarge(maxBytes)
    yield piece
  }
}

function tooLarge(maxBytes: number): ProviderError {
  const detail = `The upload has more than ${maxBytes} bytes.`
  return new ProviderError('invalid_request', detail, { detail })
}
