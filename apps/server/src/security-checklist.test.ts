import { readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { securityChecklist } from './security-checklist.ts'

async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'fairlead-checklist-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  return folder
}

async function statuses(environment: Readonly<Record<string, string>>, folder?: string) {
  const own = folder ?? (await temporaryFolder())
  const { issues, items } = await securityChecklist({
    environment: { FAIRLEAD_DATA_DIR: own, FAIRLEAD_PROVIDERS: 'local', ...environment },
    folder: own,
  })
  expect(issues).toEqual([])
  return Object.fromEntries(items.map(({ check, status }) => [check, status]))
}

const key = { FAIRLEAD_SECRET_KEY: 'x'.repeat(32) }
const secure = {
  NODE_ENV: 'production',
  FAIRLEAD_BASE_URL: 'https://ai.example.com',
  FAIRLEAD_TRUST_PROXY: '1',
  FAIRLEAD_SIGNUP: 'off',
  FAIRLEAD_PASSWORDS: 'off',
  FAIRLEAD_OIDC_ISSUER: 'https://id.example.com',
  FAIRLEAD_OIDC_CLIENT_ID: 'fairlead',
}

describe('securityChecklist', () => {
  test('securityChecklist has the rows of the page in docs/operating, in their order', async () => {
    const page = readFileSync(new URL('../../../docs/operating/security.md', import.meta.url), 'utf8')
    const [table = ''] = page.split('\n## ')
    const rows = [...table.matchAll(/^\| ([^|]+?) +\|/gm)].map(([, cell]) => cell).slice(2)
    expect(Object.keys(await statuses({}))).toEqual(rows)
  })

  test('securityChecklist finds what is open with the defaults', async () => {
    expect(await statuses(key)).toMatchObject({
      'production mode': 'open',
      TLS: 'open',
      'closed sign-up': 'open',
      'single sign-on without passwords': 'open',
      'second factor of admins': 'open',
      'secrets in files': 'open',
      'first login': 'done',
      'burst limits': 'open',
      keys: 'by hand',
    })
  })

  test('securityChecklist finds what is done', async () => {
    const folder = await temporaryFolder()
    await writeFile(join(folder, 'key'), 'x'.repeat(32))
    await writeFile(
      join(folder, 'fairlead.config.ts'),
      'export default { rateLimits: { requestsPerMinute: { free: 60 } } }\n',
    )
    const found = await statuses({ ...secure, FAIRLEAD_SECRET_KEY_FILE: join(folder, 'key') }, folder)
    const { 'user of the process': _user, ...others } = found
    expect(Object.values(others)).not.toContain('open')
  })

  test.each([
    ['number of proxies', { FAIRLEAD_TRUST_PROXY: '0' }],
    ['database over TLS', { ...key, DATABASE_URL: 'postgres://fairlead:secret@db/fairlead' }],
    ['Redis', { REDIS_URL: 'redis://:secret@cache:6379' }],
    ['Redis', { REDIS_URL: 'rediss://cache:6379' }],
    ['metrics', { FAIRLEAD_METRICS_ADDRESS: '0.0.0.0:9464' }],
    ['private networks', { FAIRLEAD_WEBHOOKS_ALLOW_NETWORKS: '10.0.0.0/8' }],
    ['private networks', { FAIRLEAD_MEDIA_ALLOW_NETWORKS: 'fd00::/48' }],
  ])('securityChecklist finds that "%s" is open with %j', async (check, environment) => {
    expect((await statuses({ ...secure, ...environment }))[check]).toBe('open')
  })

  test.each([
    ['database over TLS', { ...key, DATABASE_URL: 'postgres://fairlead:secret@db/fairlead?sslmode=verify-full' }],
    ['Redis', { REDIS_URL: 'rediss://:secret@cache:6379' }],
    ['metrics', { FAIRLEAD_METRICS_ADDRESS: '10.0.0.5:9464' }],
    ['private networks', { FAIRLEAD_WEBHOOKS_ALLOW_NETWORKS: '10.1.2.0/24,hooks.internal' }],
    ['second factor of admins', { FAIRLEAD_PASSWORDS: 'on', FAIRLEAD_ADMIN_SECOND_FACTOR: 'required' }],
  ])('securityChecklist finds that "%s" is done with %j', async (check, environment) => {
    expect((await statuses({ ...secure, ...environment }))[check]).toBe('done')
  })

  test('securityChecklist finds the file with the first login', async () => {
    const folder = await temporaryFolder()
    await writeFile(join(folder, 'first-login.txt'), 'key')
    expect(await statuses({}, folder)).toMatchObject({ 'first login': 'open' })
  })
})
