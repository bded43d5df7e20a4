import { describe, expect, test } from 'vitest'
import { slowFiles } from './test-times.ts'

describe('the limit of 20 s for a test file', () => {
  test('the limit of 20 s for a test file names a file that takes longer', () => {
    const files = {
      'apps/a.test.ts': { seconds: 19.9, load: 0.5 },
      'apps/b.process.test.ts': { seconds: 20.1, load: 1 },
    }
    expect(slowFiles({ files })).toEqual(['apps/b.process.test.ts took 20.1 s, with 1 processes for each core'])
  })

  test('the limit of 20 s for a test file grows with the load of the machine', () => {
    const files = { 'apps/a.test.ts': { seconds: 299, load: 7.5 }, 'apps/b.test.ts': { seconds: 301, load: 7.5 } }
    expect(slowFiles({ files })).toHaveLength(1)
  })

  test.each(['fuzz', 'clients'])('the limit of 20 s for a test file does not apply to tests of npm run %s', (kind) => {
    expect(slowFiles({ files: { [`apps/a.${kind}.test.ts`]: { seconds: 300, load: 1 } } })).toEqual([])
  })
})
