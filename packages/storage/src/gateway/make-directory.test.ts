import { existsSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { makeDirectory } from './whole-file.ts'
import { temporaryDirectory } from '../testing/temporary-directory.ts'

describe('makeDirectory', () => {
  test('makeDirectory creates a directory with its parents, and accepts one that exists', async () => {
    const path = join(temporaryDirectory(), 'a', 'b', 'c')
    await Promise.all([makeDirectory(path), makeDirectory(path)])
    await makeDirectory(path)
    expect(statSync(path).isDirectory()).toBe(true)
  })

  test.each(['file', 'file/a', 'file/a/b'])(
    'makeDirectory rejects when the path leads through a file: %s',
    async (name) => {
      const folder = temporaryDirectory()
      writeFileSync(join(folder, 'file'), '')
      await expect(makeDirectory(join(folder, name))).rejects.toThrow(/EEXIST|ENOTDIR/)
    },
  )

  test.runIf(existsSync('/proc/self'))('makeDirectory rejects when the file system has no such directory', async () => {
    await expect(makeDirectory('/proc/fairlead/data')).rejects.toThrow('ENOENT')
  })
})
