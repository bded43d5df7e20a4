import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Blobs } from '@fairlead/core/stores'
import { describe, expect, onTestFinished, test } from 'vitest'
import { startS3Server } from '../testing/s3-server.ts'
import { s3Blobs } from './s3-blobs.ts'

const bytes = new Uint8Array([1, 2, 3])
const unavailable = { code: 'SERVICE_UNAVAILABLE', retryAfterMs: 1000 }

async function listNames(blobs: Blobs): Promise<readonly string[]> {
  const names: string[] = []
  for await (const name of blobs.names()) names.push(name)
  return names.sort()
}

/** Blobs on a server that behaves as told, and the requests that it received. */
async function blobsOn(respond: RequestListener, timeoutMs = 60_000) {
  const requests: string[] = []
  const server = createServer((request, response) => {
    requests.push(request.method ?? '')
    respond(request, response)
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const blobs = s3Blobs({
    bucket: 'images',
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    credentials: { accessKeyId: 'any', secretAccessKey: 'any' },
    timeoutMs,
  })
  return { blobs, requests }
}

describe('s3Blobs', () => {
  test('s3Blobs returns, lists and deletes the blobs that were stored', async () => {
    const blobs = s3Blobs(await startS3Server())
    for (const name of ['img_1', 'img_2', 'img_3']) await blobs.put(name, bytes)
    expect(new Uint8Array((await blobs.get('img_1')) ?? [])).toEqual(bytes)
    expect(await listNames(blobs)).toEqual(['img_1', 'img_2', 'img_3'])
    await blobs.delete(['img_1', 'img_3', 'img_9'])
    expect(await blobs.get('img_1')).toBeUndefined()
    expect(await listNames(blobs)).toEqual(['img_2'])
  })

  test('s3Blobs lists all pages', async () => {
    const page = (name: string, rest = '') =>
      `<ListBucketResult><Contents><Key>${name}</Key></Contents>${rest}</ListBucketResult>`
    const { blobs } = await blobsOn(({ url = '' }, response) => {
      const next = new URL(url, 'http://s3').searchParams.get('continuation-token')
      const token = '<IsTruncated>true</IsTruncated><NextContinuationToken>second</NextContinuationToken>'
      response.end(next === 'second' ? page('img_2') : page('img_1', token))
    })
    expect(await listNames(blobs)).toEqual(['img_1', 'img_2'])
  })

  test('s3Blobs deletes at most 1,000 blobs with one request', async () => {
    const { blobs, requests } = await blobsOn((request, response) => {
      request.resume().on('end', () => response.end('<DeleteResult></DeleteResult>'))
    })
    await blobs.delete(Array.from({ length: 2_001 }, (_, n) => `img_${n}`))
    expect(requests).toEqual(['POST', 'POST', 'POST'])
  })

  test('s3Blobs keeps to the objects below its prefix', async () => {
    const server = await startS3Server()
    const [one, other] = ['one/', 'other/'].map((prefix) => s3Blobs({ ...server, prefix }))
    await one!.put('img_1', bytes)
    expect(await other!.get('img_1')).toBeUndefined()
    expect(await listNames(other!)).toEqual([])
    expect(await listNames(one!)).toEqual(['img_1'])
  })

  test.each(['../secret', 'img_1/../../x', '', 'IMG_1'])('s3Blobs rejects the name %j', async (name) => {
    const { blobs, requests } = await blobsOn(() => {})
    await expect(blobs.get(name)).rejects.toThrow('is not a valid blob name')
    await expect(blobs.put(name, bytes)).rejects.toThrow('is not a valid blob name')
    await expect(blobs.delete([name])).rejects.toThrow('is not a valid blob name')
    expect(requests).toEqual([])
  })

  test('s3Blobs rejects as unavailable with wrong credentials, a missing bucket, or a stopped server', async () => {
    const server = await startS3Server()
    const wrong = s3Blobs({ ...server, credentials: { ...server.credentials, accessKeyId: 'UNKNOWN' } })
    await expect(wrong.put('img_1', bytes)).rejects.toMatchObject(unavailable)
    await expect(wrong.get('img_1')).rejects.toMatchObject(unavailable)
    const missing = s3Blobs({ ...server, bucket: 'missing' })
    await expect(missing.get('img_1')).rejects.toMatchObject(unavailable)
    await server.close()
    await expect(s3Blobs(server).put('img_1', bytes)).rejects.toMatchObject(unavailable)
  })

  test('s3Blobs sends a failed request again, at most twice', async () => {
    const { blobs, requests } = await blobsOn((_, response) => void response.writeHead(503).end())
    await expect(blobs.put('img_1', bytes)).rejects.toMatchObject(unavailable)
    expect(requests).toEqual(['PUT', 'PUT', 'PUT'])
  })

  test.each([
    ['does not respond', () => {}],
    [
      'stops in the middle of an object',
      (_, response) => response.writeHead(200, { 'content-length': 9 }).write('abc'),
    ],
  ] satisfies [string, RequestListener][])(
    's3Blobs rejects as unavailable in time if the server %s',
    async (_, respond) => {
      const { blobs } = await blobsOn(respond, 300)
      await expect(blobs.get('img_1')).rejects.toMatchObject(unavailable)
    },
  )

  test('s3Blobs rejects if an object of a batch could not be deleted', async () => {
    const { blobs } = await blobsOn((request, response) => {
      request.resume().on('end', () => {
        const error = '<Error><Key>img_2</Key><Code>InternalError</Code><Message>again</Message></Error>'
        response.end(`<DeleteResult>${error}</DeleteResult>`)
      })
    })
    await expect(blobs.delete(['img_1', 'img_2'])).rejects.toMatchObject({
      ...unavailable,
      cause: { message: 'img_2: InternalError again' },
    })
  })
})
