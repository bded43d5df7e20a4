import { describe, expect, test } from 'vitest'
import { readDataUrl, toBase64 } from './media-data.ts'

const png = 'iVBORw0KGgo+/w=='

describe('readDataUrl', () => {
  // RFC 2397, RFC 4648 and RFC 2045.
  test.each<[string, string, string, string]>([
    ['base64', `data:image/png;base64,${png}`, 'image/png', png],
    ['parameters', `data:image/png;name="a.png";charset=utf-8;base64,${png}`, 'image/png', png],
    ['upper case', `DATA:IMAGE/PNG;BASE64,${png}`, 'image/png', png],
    ['white space around its parts', `data:image/png ; base64,${png}`, 'image/png', png],
    ['line breaks', 'data:image/png;base64,iVBORw0K\r\nGgo+/w==\n', 'image/png', png],
    ['the alphabet for URLs', 'data:image/png;base64,iVBORw0KGgo-_w', 'image/png', png],
    ['percent-encoded base64', 'data:image/png;base64,iVBORw0KGgo%2B%2Fw%3D%3D', 'image/png', png],
    ['percent-encoded bytes', 'data:image/png,%89PNG%0D%0a%1A%0A%3e%ff', 'image/png', png],
    ['text as it is', 'data:,Hello%20w\u00f6rld', 'text/plain', Buffer.from('Hello w\u00f6rld').toString('base64')],
    ['a stray percent sign', 'data:text/csv,5%', 'text/csv', Buffer.from('5%').toString('base64')],
  ])('readDataUrl reads a URL with %s', (_case, url, mediaType, data) => {
    expect(readDataUrl(url)).toEqual({ mediaType, data })
  })

  test.each(['data:image/png;base64,', 'data:image/png;base64,==', 'data:image/png;base64,!!'])(
    'readDataUrl finds no bytes in %s',
    (url) => expect(readDataUrl(url)).toEqual({ mediaType: 'image/png', data: undefined }),
  )

  test('readDataUrl leaves other addresses', () => {
    expect(readDataUrl('https://a.example/data:,x')).toBeUndefined()
  })
})

describe('toBase64', () => {
  test('toBase64 returns the usual form as it is', () => {
    expect(toBase64(png)).toBe(png)
  })

  test.each([
    '',
    ' ',
    'iVBORw0K Ggo+/w==',
    'iVBORw0K\tGgo+/w==',
    `${png} `,
    'data:image/png;base64,iVBO',
    'https://a.example',
    'iVBOR',
    '====',
    'a"b',
  ])('toBase64 rejects %j', (text) => expect(toBase64(text)).toBeUndefined())
})
