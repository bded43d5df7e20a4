import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { staticDocument } from './static-document.ts'

const text = 'a sentence of a document. '.repeat(200)
const document = staticDocument(text, 'text/plain; charset=utf-8')

describe('a kept document', () => {
  test.each([
    [undefined, undefined],
    ['identity', undefined],
    ['gzip', 'gzip'],
    ['gzip, deflate, br, zstd', 'br'],
    ['GZIP;q=0.5, br;q=0', 'gzip'],
    ['br; q=0.000', undefined],
    ['deflate', undefined],
  ])('a kept document for a client that accepts %s is encoded as %s', async (accepted, encoding) => {
    const { status, headers, body } = await document.respond({ 'accept-encoding': accepted })
    expect([status, headers['Content-Encoding']]).toEqual([200, encoding])
    expect(headers).toMatchObject({ Vary: 'Accept-Encoding', 'Content-Type': 'text/plain; charset=utf-8' })
    const plain = encoding === 'br' ? brotliDecompressSync(body!) : encoding ? gunzipSync(body!) : body
    expect(String(plain)).toBe(text)
  })

  test('a kept document has the same bytes in each response, and a tag for each encoding', async () => {
    const responses = await Promise.all(
      ['br', 'gzip', 'identity'].map((accepted) =>
        Promise.all([1, 2].map(() => document.respond({ 'accept-encoding': accepted }))),
      ),
    )
    for (const [first, second] of responses) expect(first?.body).toBe(second?.body)
    const tags = responses.map(([first]) => first?.headers['ETag'])
    expect(new Set(tags).size).toBe(3)
    for (const tag of tags) expect(tag).toMatch(/^"[\w-]+"$/)
  })

  test('a kept document is not sent to a client that has it in this encoding', async () => {
    const { headers } = await document.respond({ 'accept-encoding': 'br' })
    const again = { 'if-none-match': headers['ETag'] }
    const same = await document.respond({ ...again, 'accept-encoding': 'br' })
    expect([same.status, same.body]).toEqual([304, undefined])
    expect((await document.respond({ ...again, 'accept-encoding': 'gzip' })).status).toBe(200)
  })
})
