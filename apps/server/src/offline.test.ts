import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { readConfig } from './config.ts'
import { openOffline } from './offline.ts'

const ada = { email: 'ada@example.com', name: 'Ada', password: 'a password of a user' }

async function opened() {
  const folder = mkdtempSync(join(tmpdir(), 'fairlead-offline-'))
  const offline = await openOffline(readConfig({ FAIRLEAD_DATA_DIR: folder }))
  onTestFinished(async () => {
    await offline.close()
    rmSync(folder, { recursive: true })
  })
  return offline
}

describe('openOffline', () => {
  test('openOffline creates a key for a user, which is listed until it is revoked', async () => {
    const offline = await opened()
    await offline.createUser(ada)
    const { id, secret } = await offline.createKey('ADA@example.com', { name: 'ci', scopes: ['models'] })
    expect(secret).toMatch(/^fl_/)
    expect(await offline.listKeys(ada.email)).toMatchObject([{ id, scopes: ['models'], revokedAt: null }])
    await offline.revokeKey(id)
    expect(await offline.listKeys(ada.email)).toMatchObject([{ id, revokedAt: expect.any(String) }])
  })

  test('openOffline applies the limits of the tier to keys', async () => {
    const offline = await opened()
    await offline.createUser(ada)
    for (const name of ['one', 'two', 'three']) await offline.createKey(ada.email, { name })
    await expect(offline.createKey(ada.email, { name: 'four' })).rejects.toMatchObject({ code: 'CONFLICT' })
  })

  test('openOffline removes the passkeys of a user, and refuses an address that nobody has', async () => {
    const offline = await opened()
    await offline.createUser(ada)
    expect(await offline.removePasskeys('ADA@example.com')).toBe(0)
    await expect(offline.removePasskeys('nobody@example.com')).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })

  test('openOffline names the scopes that exist for an unknown one', async () => {
    const offline = await opened()
    await offline.createUser(ada)
    await expect(offline.createKey(ada.email, { name: 'ci', scopes: ['all'] })).rejects.toThrow(/"generate", "analyze"/)
  })
})
