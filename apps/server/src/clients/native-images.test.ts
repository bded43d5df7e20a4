import { blankPng, type RecordedReply } from '@fairlead/testing'
import { describe, expect, test } from 'vitest'
import { serveOpenai } from '../testing/ask-both.ts'

type Body = Readonly<Record<string, unknown>>

const png = Buffer.from(blankPng(1_536, 1_024))
const jpeg = Buffer.from('ffd8ffe000104a4649460001ffd9', 'hex')
const webp = Buffer.concat([Buffer.from('RIFF'), Buffer.from([8, 0, 0, 0]), Buffer.from('WEBPVP8 ')])
const facts = {
  background: 'opaque',
  output_format: 'png',
  quality: 'low',
  size: '1536x1024',
  usage: { input_tokens: 5, output_tokens: 100, total_tokens: 105, input_tokens_details: { text_tokens: 5 } },
}

function drawn(image: Buffer, about: Body = {}): RecordedReply {
  const data = [{ b64_json: image.toString('base64') }]
  return { json: { created: 1, data, ...facts, ...about } }
}

async function serveBoth(reply: RecordedReply) {
  const { upstream, openai, fairlead } = await serveOpenai(() => reply)
  const ask = async ({ baseURL, apiKey }: typeof openai, body: Body) => {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${apiKey}` }
    const request = {
      method: 'POST',
      headers,
      body: JSON.stringify({ model: 'gpt-image-1.5', prompt: 'A lake.', ...body }),
    }
    const response = await fetch(`${baseURL}/images/generations`, request)
    return { status: response.status, json: (await response.json()) as Body, sent: upstream.requests.at(-1)?.body }
  }
  return {
    origin: new URL(fairlead.baseURL).origin,
    direct: (body: Body) => ask(openai, body),
    through: (body: Body) => ask(fairlead, body),
  }
}

describe('a request for images through Fairlead', () => {
  // From SDK types: each field of the request.
  test.each<[string, Body, Buffer]>([
    ['nothing but a prompt', {}, png],
    ['a size that the catalog does not list', { size: '1536x1024' }, png],
    ['settings that are "auto"', { size: 'auto', quality: 'auto', background: 'auto', moderation: 'auto' }, png],
    ['a background and a user', { background: 'transparent', moderation: 'low', user: 'ada' }, png],
    ['a quality that is new', { quality: 'xhigh' }, png],
    ['one image', { n: 1 }, png],
    ['JPEG', { output_format: 'jpeg', output_compression: 80 }, jpeg],
    ['WebP', { output_format: 'webp' }, webp],
    ['a field that is new', { brand_new: 1 }, png],
  ])(
    'a request for images through Fairlead reaches OpenAI as it is with %s, as its answer does the client',
    async (_case, body, image) => {
      const { direct, through } = await serveBoth(drawn(image, { output_format: body['output_format'] ?? 'png' }))
      const [expected, found] = [await direct(body), await through(body)]
      expect(found).toEqual(expected)
    },
  )

  test.each([
    ['jpeg', jpeg],
    ['webp', webp],
    ['png', png],
  ])('a request for images through Fairlead has an image in %s served in its own type', async (type, image) => {
    const { origin, through } = await serveBoth(drawn(image, { output_format: type }))
    const { json } = await through({ output_format: type, response_format: 'url' })
    const [{ url } = { url: '' }] = json['data'] as readonly { readonly url: string }[]
    expect(url).toMatch(new RegExp(`/images/img_\\d+\\.${type}$`))
    const { pathname } = new URL(url)
    const response = await fetch(origin + pathname)
    expect([response.status, response.headers.get('content-type')]).toEqual([200, `image/${type}`])
    expect(image.equals(Buffer.from(await response.arrayBuffer()))).toBe(true)
    const other = await fetch(origin + pathname.replace(/\w+$/, type === 'png' ? 'webp' : 'png'))
    expect(other.status).toBe(404)
  })

  test('a request for images through Fairlead is rejected with a type that would be a page', async () => {
    const { through } = await serveBoth(drawn(png))
    expect(await through({ output_format: 'svg' })).toMatchObject({
      status: 400,
      json: { error: { param: 'output_format' } },
    })
  })
})
