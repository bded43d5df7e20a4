import { describe, expect, test } from 'vitest'
import { blankPng, fakeImageModel, testClock, testCore, type TestCoreOptions } from '@fairlead/testing'
import { operations } from '@fairlead/testing/workspace'
import type { Credentials } from '../../runtime/access.ts'
import { fakeCache } from '../../testing/fake-cache.ts'
import type { Provider } from '../provider.ts'

const { generateImage } = operations
const day = 86_400_000
const limit = 1_000_000
const fileBytes = 200_000

/** A PNG of 200 kB. */
function largePng(width: number, height: number): Uint8Array {
  const png = blankPng(width, height)
  const padding = Buffer.alloc(fileBytes - png.byteLength)
  return Buffer.concat([png.subarray(0, -12), padding, png.subarray(-12)])
}

async function setup(options: TestCoreOptions = {}) {
  const seeds: unknown[] = []
  let release = () => {}
  let held: Promise<void> | undefined
  const provider: Provider = {
    contract: 2,
    id: 'painter',
    models: [fakeImageModel({ maxImages: 4 })],
    async generateImage({ width, height, seed, n = 1 }) {
      seeds.push(seed)
      await held
      const others = Array.from({ length: n - 1 }, () => largePng(width, height))
      return { png: largePng(width, height), ...(n > 1 && { others }) }
    },
  }
  const world = await testCore({ providers: [provider], retention: { imageBytes: limit }, ...options })
  const { core, caller } = world
  let seed = 0
  const paint = (credentials: Credentials = caller, input: object = {}) =>
    core.run(generateImage, credentials, { model: 'picture', prompt: 'x', size: '256x256', seed: seed++, ...input })
  /** Paints until a call is rejected. Returns how many passed, at most 20. */
  const fill = async (credentials?: Credentials) => {
    for (let n = 0; n < 20; n++) if (!(await paint(credentials)).success) return n
    return 20
  }
  const usage = async (credentials: Credentials = caller) => {
    const reply = await core.run(operations.usage, credentials, {})
    return reply.success ? reply.data.images : undefined
  }
  const hold = () => (held = new Promise((resolve) => (release = resolve)))
  return { ...world, paint, fill, usage, seeds, hold, release: () => release() }
}

const full = { error: { code: 'QUOTA_EXCEEDED' } }

describe('the images of an account', () => {
  test('the images of an account have a limit of bytes: an image that may exceed it is rejected before a provider is called', async () => {
    const { paint, fill, usage, seeds, keyId, stores } = await setup()
    expect(await fill()).toBe(4)
    expect(await paint()).toMatchObject({
      error: {
        code: 'QUOTA_EXCEEDED',
        message:
          'The images of this account take up 800000 bytes of 1000000, and requests in progress, this one included, need up to 262144. Wait until older images are removed, which are kept for 90 days, or ask the operator for more room.',
      },
    })
    expect(seeds).toHaveLength(4)
    expect(await usage()).toEqual({ bytes: 4 * fileBytes, limitBytes: limit })
    // The rejected calls cost no unit.
    expect((await stores.read((view) => view.counters.peek(keyId))).used).toBe(4)
  })

  test('the images of an account make room when they are removed', async () => {
    const { fill, clock, stores, core, usage } = await setup()
    expect(await fill()).toBe(4)
    clock.advance(91 * day)
    await stores.transact((tx) => tx.images.purge(clock.now() - 90 * day, 2))
    expect(await usage()).toMatchObject({ bytes: 2 * fileBytes })
    expect(await fill()).toBe(2)
    await core.close()
  })

  test('the images of an account never exceed the limit by calls at the same time, or by several images of one call', async () => {
    const { paint, hold, release, seeds, usage } = await setup()
    hold()
    const replies = Array.from({ length: 10 }, () => paint())
    await expect.poll(() => seeds.length).toBe(3)
    release()
    const passed = (await Promise.all(replies)).filter(({ success }) => success)
    expect([passed.length, seeds.length]).toEqual([3, 3])
    expect(await paint(undefined, { n: 2 })).toMatchObject(full)
    expect(await usage()).toMatchObject({ bytes: 3 * fileBytes })
    expect(await paint()).toMatchObject({ success: true })
  })

  test('the images of an account count all images of a call', async () => {
    const { paint, usage } = await setup()
    expect(await paint(undefined, { n: 3 })).toMatchObject({ success: true })
    expect(await usage()).toMatchObject({ bytes: 3 * fileBytes })
  })

  test('the images of an account include those of the projects that it pays for', async () => {
    const { fairlead, core, fill, paint, usage } = await setup()
    const { accessToken } = await fairlead.sessions.signup({
      email: 'a@example.com',
      password: 'a long password',
      name: 'A',
    })
    const session: Credentials = { kind: 'bearer', token: accessToken }
    const project = await core.run(operations.createProject, session, { name: 'P' })
    const projectId = project.success ? project.data.id : ''
    const acting = { ...session, project: projectId }
    const key = await core.run(operations.createApiKey, acting, { name: 'k', scopes: ['generate'] })
    expect(await fill({ kind: 'bearer', token: key.success ? key.data.secret : '' })).toBe(4)
    expect(await paint(session)).toMatchObject(full)
    const images = { bytes: 4 * fileBytes, limitBytes: limit }
    expect([await usage(session), await usage(acting)]).toEqual([images, images])
    await fairlead.projects.update({ id: projectId, funded: true })
    expect(await fill(acting)).toBe(4)
  })

  test('the images of an account do not keep it from those that it has in the cache', async () => {
    const routes = { art: { targets: [{ model: 'painter/picture' }], cache: { ttlMs: 60_000 } } }
    const { paint } = await setup({ cache: fakeCache(testClock()), routes })
    const first = await paint(undefined, { model: 'art', seed: 7 })
    for (let n = 0; n < 5; n++) await paint()
    expect(await paint()).toMatchObject(full)
    expect(await paint(undefined, { model: 'art', seed: 7 })).toMatchObject({
      success: true,
      data: 'data' in first ? first.data : {},
    })
  })

  test('the images of an account have no limit where it is null, and neither have those of an embedding program', async () => {
    const unlimited = await setup({ retention: { imageBytes: null } })
    expect(await unlimited.fill()).toBe(20)
    expect(await unlimited.usage()).toEqual({ bytes: 20 * fileBytes, limitBytes: null })
    const { fill } = await setup()
    expect(await fill({ kind: 'embedded' })).toBe(20)
  })
})
