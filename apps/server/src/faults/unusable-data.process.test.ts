import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { compose } from '../compose.ts'
import { readConfig } from '../config.ts'
import { dataDirectory } from '../testing/data-directory.ts'

const log = { error: () => {}, warn: () => {} }
const composeOver = (path: string) =>
  compose({
    config: readConfig({ FAIRLEAD_DATA_DIR: path }),
    service: { name: 'Fairlead', version: 'test' },
    baseUrl: 'http://127.0.0.1',
    log,
    observers: [],
    file: undefined,
    loadProviders: async () => [],
  })

describe('an unusable data directory', () => {
  test('an unusable data directory fails the start with the variable and the reason if it is a file', async () => {
    const { path } = await dataDirectory()
    writeFileSync(join(path, 'file'), '')
    await expect(composeOver(join(path, 'file'))).rejects.toThrow(
      /^FAIRLEAD_DATA_DIR names .*file, which cannot be used/,
    )
  })

  test('an unusable data directory fails the start with the variable and the reason if its database is invalid', async () => {
    const { path } = await dataDirectory()
    writeFileSync(join(path, 'fairlead.db'), 'something else, and more of it than a header has '.repeat(10))
    await expect(composeOver(path)).rejects.toMatchObject({
      name: 'ConfigError',
      message: expect.stringContaining('file is not a database'),
    })
  })
})
