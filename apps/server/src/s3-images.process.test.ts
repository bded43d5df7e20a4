import { breakableLink, createTestDatabase, findPostgres, startS3Server } from '@fairlead/storage/testing'
import { scripted } from '@fairlead/testing'
import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { compose } from './compose.ts'
import { diagnose } from './diagnose.ts'
import { openOffline } from './offline.ts'
import { readConfig } from './config.ts'
import { runMain, temporaryFolder } from './testing/run-main.ts'
import { runServer, type TestServer } from './testing/run-server.ts'

const postgres = await findPostgres()
const secretKey = 'a secret key that is the same on all nodes'

async function s3Environment() {
  const { bucket, endpoint, credentials, close } = await startS3Server()
  const environment = {
    FAIRLEAD_S3_BUCKET: bucket,
    FAIRLEAD_S3_ENDPOINT: endpoint,
    FAIRLEAD_S3_PREFIX: 'fairlead/',
    AWS_ACCESS_KEY_ID: credentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
  }
  return { environment, close }
}

const hello = { model: 'any', prompt: 'Hi' }

/** Whether the service counts as able to write, which `/readyz` asks at most once a second. */
async function canWrite(environment: Readonly<Record<string, string>>, breakImages: () => unknown) {
  const { core } = await compose({
    config: readConfig(environment),
    service: { name: 'Fairlead', version: 'test' },
    baseUrl: 'http://127.0.0.1:8080',
    log: { warn() {}, error() {} },
    observers: [],
    file: undefined,
    loadProviders: async () => [],
  })
  onTestFinished(() => core.close())
  await breakImages()
  return core.checkWrites().then(
    () => true,
    () => false,
  )
}

const draw = ({ ask, firstAdmin }: TestServer) =>
  ask('POST', '/generate/image', { model: 'picture', prompt: 'a boat' }, firstAdmin?.apiKey)

describe('images on S3', () => {
  test('images on S3 are stored in the bucket, and served from it by a node that starts later', async () => {
    const { environment } = await s3Environment()
    const server = await runServer(environment)
    const { data } = await draw(server)
    const path = `/images/${data.id}.png`
    const image = await server.ask('GET', path)
    expect(image.status).toBe(200)
    expect(readdirSync(server.dataDirectory)).not.toContain('images')
    await server.stop()
    const later = await runServer({ ...environment, FAIRLEAD_DATA_DIR: server.dataDirectory })
    expect((await later.ask('GET', path)).text).toBe(image.text)
    expect((await later.ask('GET', '/images/img_1795555933241000001.png')).status).toBe(404)
  })

  test('images on S3 fail with 503 while S3 is unavailable, and everything else works', async () => {
    const { environment, close } = await s3Environment()
    const server = await runServer(environment)
    const { data } = await draw(server)
    await close()
    const read = await server.ask('GET', `/images/${data.id}.png`)
    expect([read.status, JSON.parse(read.text).error.code]).toEqual([503, 'SERVICE_UNAVAILABLE'])
    const write = await draw(server)
    expect([write.status, JSON.parse(write.text).error.code]).toEqual([503, 'SERVICE_UNAVAILABLE'])
    expect((await server.ask('POST', '/generate', hello, server.firstAdmin?.apiKey)).status).toBe(200)
  })

  test('images on S3 do not make a node unready while S3 is unavailable', async () => {
    const { environment, close } = await s3Environment()
    expect(await canWrite({ ...environment, FAIRLEAD_DATA_DIR: temporaryFolder() }, close)).toBe(true)
  })

  test('images on S3 keep the service from starting if the bucket cannot be used', async () => {
    const { environment } = await s3Environment()
    await expect(runServer({ ...environment, FAIRLEAD_S3_BUCKET: 'missing' })).rejects.toThrow(
      /^The images are in s3:\/\/missing\/fairlead\/, which cannot be used\.\n.*bucket does not exist/,
    )
  })

  test('images on S3 that cannot be reached at the start fail with 503, until S3 is back, and everything else works', async () => {
    const { environment } = await s3Environment()
    const first = await runServer(environment)
    const apiKey = first.firstAdmin?.apiKey
    const { data } = await draw(first)
    await first.stop()
    const link = await breakableLink(environment.FAIRLEAD_S3_ENDPOINT)
    onTestFinished(() => link.close())
    link.cut()
    const later = await runServer({
      ...environment,
      FAIRLEAD_S3_ENDPOINT: link.url,
      FAIRLEAD_DATA_DIR: first.dataDirectory,
    })
    expect(later.logged()).toContain('image storage unavailable, starting without it')
    expect((await later.ask('GET', '/readyz')).status).toBe(200)
    expect((await later.ask('POST', '/generate', hello, apiKey)).status).toBe(200)
    expect((await later.ask('POST', '/generate/image', { model: 'picture', prompt: 'a boat' }, apiKey)).status).toBe(
      503,
    )
    expect((await later.ask('GET', `/images/${data.id}.png`)).status).toBe(503)
    link.restore()
    await expect
      .poll(async () => (await later.ask('GET', `/images/${data.id}.png`)).status, { timeout: 20_000 })
      .toBe(200)
  })

  test('images on S3 keep a service without accounts waiting while S3 cannot be reached', async () => {
    const { environment } = await s3Environment()
    const link = await breakableLink(environment.FAIRLEAD_S3_ENDPOINT)
    onTestFinished(() => link.close())
    link.cut()
    const main = runMain({ ...environment, FAIRLEAD_S3_ENDPOINT: link.url })
    await expect.poll(() => main.output).toContain('dependency unavailable, waiting for it')
    link.restore()
    await main.url
    await expect.poll(() => main.output).toContain('dependency available, starting')
  })

  test('images on S3 are checked by doctor, which leaves nothing behind', async () => {
    const { environment } = await s3Environment()
    const found = async (more: object) => {
      const all = {
        ...environment,
        PORT: '0',
        FAIRLEAD_DATA_DIR: temporaryFolder(),
        FAIRLEAD_PROVIDERS: 'local',
        ...more,
      }
      const findings = diagnose({ environment: all, folder: temporaryFolder(), callProviders: false })
      for await (const each of findings) if (each.check === 'images') return each
      return undefined
    }
    expect(await found({})).toEqual({ check: 'images', status: 'ok', message: 's3://images/fairlead/' })
    expect(await found({ AWS_ACCESS_KEY_ID: 'UNKNOWN' })).toMatchObject({
      status: 'fail',
      message: expect.stringContaining('Check FAIRLEAD_S3_* and AWS_*.'),
    })
  })
})

describe('images in a folder', () => {
  test.each([
    ['do not make a node unready if nodes share it', true],
    ['make a node with SQLite unready', false],
  ] as const)('images in a folder that is missing %s', async (_what, isShared) => {
    if (isShared && !postgres) return
    const database = isShared && { DATABASE_URL: (await createTestDatabase(postgres!)).url }
    const folder = temporaryFolder()
    const environment = { FAIRLEAD_DATA_DIR: folder, FAIRLEAD_SECRET_KEY: secretKey, ...database }
    expect(await canWrite(environment, () => rmSync(join(folder, 'images'), { recursive: true }))).toBe(isShared)
  })
})

describe.skipIf(!postgres)('two nodes on one database', () => {
  test('two nodes on one database with different image folders: the second one is not ready, until its images are accepted', async () => {
    const { url } = await createTestDatabase(postgres!)
    const environment = { DATABASE_URL: url, FAIRLEAD_SECRET_KEY: secretKey }
    const [one, other] = [await runServer(environment), await runServer(environment)]
    expect((await one.ask('GET', '/readyz')).status).toBe(200)
    const refused = await other.ask('GET', '/readyz')
    expect([refused.status, JSON.parse(refused.text).status]).toEqual([503, 'not ready'])
    expect(refused.text).toContain('give all nodes one shared folder or FAIRLEAD_S3_BUCKET')
    expect(other.logged()).toContain('this node is not ready')
    const offline = await openOffline(readConfig({ ...environment, FAIRLEAD_DATA_DIR: other.dataDirectory }))
    await offline.acceptImages()
    await offline.close()
    expect((await other.ask('GET', '/readyz')).status).toBe(200)
    expect((await one.ask('GET', '/readyz')).status).toBe(503)
  })

  test('two nodes on one database without image models: both are ready with folders of their own', async () => {
    const { url } = await createTestDatabase(postgres!)
    const environment = { DATABASE_URL: url, FAIRLEAD_SECRET_KEY: secretKey }
    const texts = [scripted('calm', 'hello there')]
    for (const node of [await runServer(environment, texts), await runServer(environment, texts)])
      expect((await node.ask('GET', '/readyz')).status).toBe(200)
  })

  test('two nodes on one database with one bucket: both are ready', async () => {
    const { url } = await createTestDatabase(postgres!)
    const { environment } = await s3Environment()
    const all = { ...environment, DATABASE_URL: url, FAIRLEAD_SECRET_KEY: secretKey }
    for (const node of [await runServer(all), await runServer(all)])
      expect((await node.ask('GET', '/readyz')).status).toBe(200)
  })
})
