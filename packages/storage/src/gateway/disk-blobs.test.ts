import { readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { temporaryDirectory } from '../testing/temporary-directory.ts'
import { diskBlobs } from './disk-blobs.ts'

const bytes = new Uint8Array([1, 2, 3])

describe('diskBlobs', () => {
  test('diskBlobs returns blobs as they were stored, also after a restart', async () => {
    const directory = temporaryDirectory()
    await (await diskBlobs(directory)).put('img_1', bytes)
    const later = await diskBlobs(directory)
    expect(new Uint8Array((await later.get('img_1')) ?? [])).toEqual(bytes)
    await later.delete(['img_1'])
    expect(await later.get('img_1')).toBeUndefined()
    await later.delete(['img_1'])
  })

  test('diskBlobs leaves no draft beside the file', async () => {
    const directory = temporaryDirectory()
    const blobs = await diskBlobs(directory)
    await Promise.all(Array.from({ length: 10 }, (_, n) => blobs.put(`img_${n % 2}`, bytes)))
    expect(readdirSync(directory).sort()).toEqual(['img_0', 'img_1'])
  })

  test.skipIf(process.platform === 'win32')(
    'diskBlobs makes files and directory readable only by their owner',
    async () => {
      const directory = join(temporaryDirectory(), 'images')
      await (await diskBlobs(directory)).put('img_1', bytes)
      expect(statSync(directory).mode & 0o777).toBe(0o700)
      expect(statSync(join(directory, 'img_1')).mode & 0o777).toBe(0o600)
    },
  )

  test.each(['../secret', 'img_1/../../x', '.', '', 'IMG_1', 'img_1.part', 'img_1\0'])(
    'diskBlobs rejects the name %j',
    async (name) => {
      const blobs = await diskBlobs(temporaryDirectory())
      await expect(blobs.get(name)).rejects.toThrow('is not a valid blob name')
      await expect(blobs.put(name, bytes)).rejects.toThrow('is not a valid blob name')
      await expect(blobs.delete([name])).rejects.toThrow('is not a valid blob name')
    },
  )

  test('diskBlobs rejects as unavailable while the disk fails', async () => {
    const directory = temporaryDirectory()
    const blobs = await diskBlobs(directory)
    rmSync(directory, { recursive: true })
    await expect(blobs.put('img_1', bytes)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE', retryAfterMs: 1000 })
  })

  test('diskBlobs syncs a blob and its directory before the promise resolves', async () => {
    const directory = temporaryDirectory()
    const blobs = await diskBlobs(directory)
    const synced: string[][] = []
    const file = await open(join(directory, 'any'), 'w')
    vi.spyOn(Object.getPrototypeOf(file), 'sync').mockImplementation(async () => {
      synced.push(readdirSync(directory).map((name) => `${name}: ${statSync(join(directory, name)).size}`))
    })
    await file.close()
    rmSync(join(directory, 'any'))
    await blobs.put('img_1', bytes)
    // First the draft with all of its bytes, then the directory with the name.
    expect(synced).toEqual([[expect.stringMatching(/^img_1\.\w+\.part: 3$/)], ['img_1: 3']])
  })

  test('diskBlobs checks whether a write succeeds, and leaves no file behind', async () => {
    const directory = temporaryDirectory()
    const blobs = await diskBlobs(directory)
    await blobs.check?.()
    expect(readdirSync(directory)).toEqual([])
    rmSync(directory, { recursive: true })
    await expect(blobs.check?.()).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
  })

  test('diskBlobs removes old drafts of killed processes at startup, but no recent ones', async () => {
    const directory = temporaryDirectory()
    for (const name of ['img_1.old.part', 'img_2.young.part', 'img_3']) writeFileSync(join(directory, name), 'x')
    const twoHoursAgo = Date.now() / 1000 - 7_200
    for (const name of ['img_1.old.part', 'img_3']) utimesSync(join(directory, name), twoHoursAgo, twoHoursAgo)
    await diskBlobs(directory)
    expect(readdirSync(directory).sort()).toEqual(['img_2.young.part', 'img_3'])
  })
})
