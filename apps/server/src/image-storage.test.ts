import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { testClock, testStores } from '@fairlead/testing'
import { describe, expect, onTestFinished, test } from 'vitest'
import { acceptImages, differingImages, openImageStorage } from './image-storage.ts'

const s3 = { bucket: 'images', endpoint: undefined, region: 'eu-central-1', prefix: '', credentials: undefined }

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'fairlead-images-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

const painting = { offersImages: async () => true }
const writing = { offersImages: async () => false }

/** A node with a new data directory, unless it gets one. */
const node = (dataDirectory = temporaryFolder()) => openImageStorage({ s3: undefined, dataDirectory })

describe('differingImages', () => {
  test('differingImages names the folder of a node that does not share that of the first node', async () => {
    const stores = testStores({ clock: testClock() })
    const [one, other] = [await node(), await node()]
    expect(await differingImages(painting, stores, one)).toBeUndefined()
    expect(await differingImages(painting, stores, other)).toContain(`The images of this node are in ${other.name}`)
    expect(await differingImages(painting, stores, one)).toBeUndefined()
  })

  test('differingImages lets one of two nodes win that start at the same time on different folders', async () => {
    const stores = testStores({ clock: testClock() })
    const nodes = [await node(), await node()]
    const found = await Promise.all(nodes.map((each) => differingImages(painting, stores, each)))
    expect(found.filter((reason) => reason === undefined)).toHaveLength(1)
    expect(await Promise.all(nodes.map((each) => differingImages(painting, stores, each)))).toEqual(found)
  })

  test('differingImages finds no difference between nodes that share a folder, also after a restart', async () => {
    const stores = testStores({ clock: testClock() })
    const shared = temporaryFolder()
    for (let starts = 0; starts < 3; starts++)
      expect(await differingImages(painting, stores, await node(shared))).toBeUndefined()
  })

  test('differingImages tells a bucket from a folder, and buckets and prefixes from each other', async () => {
    const stores = testStores({ clock: testClock() })
    const on = (options: object) => openImageStorage({ s3: { ...s3, ...options }, dataDirectory: temporaryFolder() })
    expect(await differingImages(painting, stores, await on({}))).toBeUndefined()
    expect(await differingImages(painting, stores, await on({ endpoint: 'http://127.0.0.1:9000' }))).toBeUndefined()
    expect(await differingImages(painting, stores, await on({ bucket: 'others' }))).toContain('s3://others/')
    expect(await differingImages(painting, stores, await on({ prefix: 'others/' }))).toContain('s3://images/others/')
    expect(await differingImages(painting, stores, await node())).toContain('fairlead accept-images')
  })

  test('differingImages lets nodes without image models have folders of their own, until there are images', async () => {
    const clock = testClock()
    const stores = testStores({ clock })
    const [one, other] = [await node(), await node()]
    for (const each of [one, other]) expect(await differingImages(writing, stores, each)).toBeUndefined()
    await stores.transact((tx) =>
      tx.images.add({ id: 'img_1', userId: null, payer: null, bytes: 70, model: 'vista', createdAt: clock.now() }),
    )
    expect(await differingImages(writing, stores, one)).toBeUndefined()
    expect(await differingImages(writing, stores, other)).toContain(other.name)
  })

  test('differingImages leaves a folder that cannot be written to the check of writes', async () => {
    const stores = testStores({ clock: testClock() })
    const folder = temporaryFolder()
    const storage = await node(folder)
    rmSync(folder, { recursive: true })
    expect(await differingImages(painting, stores, storage)).toBeUndefined()
    await expect(acceptImages(stores, storage)).rejects.toThrow('cannot be written')
  })
})

test('acceptImages makes the images of a node those of all nodes', async () => {
  const stores = testStores({ clock: testClock() })
  const [old, restored] = [await node(), await node()]
  await differingImages(painting, stores, old)
  await acceptImages(stores, restored)
  expect(await differingImages(painting, stores, restored)).toBeUndefined()
  expect(await differingImages(painting, stores, old)).toContain(old.name)
})
