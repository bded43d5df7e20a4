import { globSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { publicApis } from './public-api.ts'

const root = join(import.meta.dirname, '../..')
const manifests = globSync(['packages/{*,providers/*}/package.json', 'apps/server/package.json'], { cwd: root })
  .toSorted()
  .map((path) => join(root, path))

describe('the public API', () => {
  // A change of these files is a change for those who use a package: the changeset says which.
  test('the public API of each package is the one in its public-api.txt', async () => {
    for (const [manifest, api] of publicApis(manifests)) {
      await expect(api).toMatchFileSnapshot(join(dirname(manifest), 'public-api.txt'))
    }
  })
})
