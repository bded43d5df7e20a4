import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { readConfig } from './config.ts'
import { chooseProviders } from './providers/choose-providers.ts'
import { withSecretFiles } from './secret-files.ts'

describe('a secret in a file', () => {
  test.for(['DATABASE_URL', 'REDIS_URL', 'FAIRLEAD_SECRET_KEY', 'FAIRLEAD_ADMIN_PASSWORD', 'OPENAI_API_KEY'])(
    'a secret in a file is read for %s, without its line break',
    (name) => {
      expect(withSecretFiles({ [`${name}_FILE`]: fileWith('a secret\n') })).toEqual({ [name]: 'a secret' })
    },
  )

  test('a secret in a file configures the service, without a warning about the variable', () => {
    const key = 'k'.repeat(32)
    const config = readConfig({ FAIRLEAD_SECRET_KEY_FILE: fileWith(key) })
    expect([config.secretKey, config.warnings]).toEqual([key, []])
  })

  test('a secret in a file enables a provider', async () => {
    const environment = { OPENAI_API_KEY_FILE: fileWith('sk-1') }
    const chosen = await chooseProviders({ names: 'auto', file: undefined, environment, probe: async () => false })
    expect(chosen.map(({ name }) => name)).toContain('openai')
  })

  test('a secret in a file fails if the variable is set too', () => {
    const environment = { REDIS_URL: 'redis://one', REDIS_URL_FILE: fileWith('redis://other') }
    expect(() => withSecretFiles(environment)).toThrow('REDIS_URL and REDIS_URL_FILE are both set: unset one of them')
  })

  test('a secret in a file fails if the file is empty', () => {
    for (const DATABASE_URL_FILE of [fileWith(''), fileWith('\n')]) {
      expect(() => withSecretFiles({ DATABASE_URL_FILE })).toThrow(
        `DATABASE_URL_FILE names an empty file: ${DATABASE_URL_FILE}`,
      )
    }
  })

  test('a secret in a file fails if the file cannot be read', () => {
    expect(() => withSecretFiles({ OPENAI_API_KEY_FILE: '/nowhere/key' })).toThrow(
      /^OPENAI_API_KEY_FILE names a file that cannot be read: ENOENT/,
    )
  })
})

test('a file of another program is not read', () => {
  const environment = { SSL_KEY_FILE: '/nowhere/key', HISTORY_FILE: '/nowhere/history' }
  expect(withSecretFiles(environment)).toEqual(environment)
})

function fileWith(text: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'fairlead-secret-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const path = join(folder, 'secret')
  writeFileSync(path, text)
  return path
}
