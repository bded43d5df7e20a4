import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { announceFirstLogin } from './first-login.ts'
import { temporaryFolder } from './testing/run-main.ts'

test('a terminal shows the API key, and no file has it', async () => {
  const dataDirectory = '/nowhere'
  expect(await announceFirstLogin('fl_x', { email: 'ada@example.com', dataDirectory, isTerminal: true })).toBe('fl_x')
})

test('a file that cannot be written leaves the API key in the output, because nothing else has it', async () => {
  const dataDirectory = join(temporaryFolder(), 'missing')
  const printed = await announceFirstLogin('fl_x', { email: 'ada@example.com', dataDirectory, isTerminal: false })
  expect(printed).toBe('fl_x')
})

test('elsewhere, a file that only its owner can read has the API key, and the output names the file', async () => {
  const dataDirectory = temporaryFolder()
  writeFileSync(join(dataDirectory, 'first-login.txt'), 'of an earlier database', { mode: 0o644 })
  const printed = await announceFirstLogin('fl_x', { email: 'ada@example.com', dataDirectory, isTerminal: false })
  const path = join(dataDirectory, 'first-login.txt')
  expect(printed).toContain(
    `Created the admin ada@example.com. Its API key, and a link that logs in once, are in ${path}.`,
  )
  expect(printed).not.toContain('fl_')
  expect(readFileSync(path, 'utf8')).toBe('fl_x')
  expect(process.platform === 'win32' ? 0o600 : statSync(path).mode & 0o777).toBe(0o600)
})
