import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { mutations } from './mutations.ts'

const root = join(import.meta.dirname, '../..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')

describe('every mutation', () => {
  test.each(mutations)(
    'every mutation of $file still matches its source and its test: $from',
    ({ file, from, to, test: path, title }) => {
      expect(read(file).split(from)).toHaveLength(2)
      expect(to).not.toBe(from)
      expect(read(path)).toContain(title ?? 'test')
    },
  )
})
