import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { codeBlocks } from './docs/code-blocks.ts'

const root = join(import.meta.dirname, '..')

test('the program in the README equals the example in the repository', () => {
  const [program] = codeBlocks(readFileSync(join(root, 'README.md'), 'utf8')).filter(
    ({ language }) => language === 'ts',
  )
  expect(program?.text).toBe(readFileSync(join(root, 'examples/embed/main.ts'), 'utf8'))
})
