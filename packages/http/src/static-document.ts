import { hash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { PageResponse } from './endpoint.ts'
import { matchesTag } from './http-request.ts'

const compress = { br: promisify(brotliCompress), gzip: promisify(gzip) }
const options = {
  // Close to the best compression, in a tenth of its time.
  br: { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } },
  gzip: { level: 9 },
}

type Encoding = keyof typeof compress

export type StaticDocument = ReturnType<typeof staticDocument>

/** A document that stays the same: each of its forms is computed once. @param brotli the content, if it is compressed already */
export function staticDocument(content: string | Uint8Array, contentType: string, brotli?: Buffer) {
  const plain = Buffer.from(content)
  const tag = hash('sha256', plain, 'base64url').slice(0, 22)
  const compressed: Partial<Record<Encoding, Promise<Buffer>>> = brotli ? { br: Promise.resolve(brotli) } : {}

  return {
    /**
     * The response for a client: 304 for a document that it has. The body is not to be transformed, for example
     * compressed.
     */
    async respond(request: IncomingHttpHeaders): Promise<PageResponse & { readonly body?: Buffer }> {
      const encoding = encodingFor(request['accept-encoding'])
      const etag = encoding ? `"${tag}-${encoding}"` : `"${tag}"`
      const headers = { ETag: etag, Vary: 'Accept-Encoding', 'Cache-Control': 'no-cache, no-transform' }
      if (matchesTag(request['if-none-match'], etag)) return { status: 304, headers }
      const typed = { ...headers, 'Content-Type': contentType }
      if (!encoding) return { status: 200, headers: typed, body: plain }
      const body = await (compressed[encoding] ??= compress[encoding](plain, options[encoding]))
      return { status: 200, headers: { ...typed, 'Content-Encoding': encoding }, body }
    },
  }
}

function encodingFor(accepted: string | string[] = ''): Encoding | undefined {
  const codings = String(accepted).toLowerCase().split(',')
  const accepts = (name: string) =>
    codings.some((coding) => {
      const [own = '', ...parameters] = coding.split(';').map((part) => part.trim())
      return own === name && !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter))
    })
  return (['br', 'gzip'] as const).find(accepts)
}
