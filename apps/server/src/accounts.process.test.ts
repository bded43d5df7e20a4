import { chmod, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readConfig, ConfigError } from './config.ts'
import { openOffline } from './offline.ts'
import { temporaryFolder } from './testing/run-main.ts'
import { runServer } from './testing/run-server.ts'

const ada = { email: 'ada@example.com', password: 'CANARY-correct horse battery', name: 'Ada' }
const keyOne = 'CANARY-the first secret key of this server'
const keyTwo = 'CANARY-the second secret key of this server'

describe('the first start', () => {
  test('the first start creates an admin who can log in with FAIRLEAD_ADMIN_PASSWORD', async () => {
    const admin = { FAIRLEAD_ADMIN_EMAIL: 'Boss@Example.com', FAIRLEAD_ADMIN_PASSWORD: 'the boss’s password' }
    const { ask, firstAdmin } = await runServer(admin)
    expect(firstAdmin?.email).toBe('Boss@Example.com')
    const login = { email: 'boss@example.com', password: admin.FAIRLEAD_ADMIN_PASSWORD }
    const { status, data } = await ask('POST', '/auth/login', login)
    expect([status, data.user.role, data.user.tier]).toEqual([200, 'admin', 'enterprise'])
  })

  test('the first start rejects an admin password that breaks the password rules', () => {
    expect(() => readConfig({ FAIRLEAD_ADMIN_PASSWORD: 'short' })).toThrow(
      new ConfigError('FAIRLEAD_ADMIN_PASSWORD must have 12 to 128 characters'),
    )
    const own = { FAIRLEAD_ADMIN_EMAIL: 'boss@example.com', FAIRLEAD_ADMIN_PASSWORD: 'boss@example.com' }
    expect(() => readConfig(own)).toThrow(new ConfigError('FAIRLEAD_ADMIN_PASSWORD must not be the email address'))
  })

  test('the first start stores a secret key in the data directory that only its owner can read', async () => {
    const { dataDirectory } = await runServer()
    const path = join(dataDirectory, 'secret-key')
    expect((await stat(path)).mode & 0o777).toBe(0o600)
    expect(await readFile(path, 'utf8')).toMatch(/^[0-9a-f]{64}\n$/)
    expect(await readdir(dataDirectory)).not.toContainEqual(expect.stringContaining('.part'))
  })
})

describe('a later start', () => {
  test('a later start keeps the sessions of earlier runs', async () => {
    const first = await runServer()
    const { data } = await first.ask('POST', '/auth/signup', ada)
    await first.stop()
    const second = await runServer({ FAIRLEAD_DATA_DIR: first.dataDirectory })
    expect((await second.ask('GET', '/models', undefined, data.access_token)).status).toBe(200)
    expect((await second.ask('POST', '/auth/refresh', { refresh_token: data.refresh_token })).status).toBe(200)
  })

  test('a later start fails with another secret key unless the previous one is set', async () => {
    const first = await runServer({ FAIRLEAD_SECRET_KEY: keyOne })
    const { data } = await first.ask('POST', '/auth/signup', ada)
    await first.stop()
    const again = (environment: Record<string, string>) =>
      runServer({ FAIRLEAD_DATA_DIR: first.dataDirectory, ...environment })
    await expect(again({ FAIRLEAD_SECRET_KEY: keyTwo })).rejects.toThrow('FAIRLEAD_SECRET_KEY is not the key')
    await expect(again({})).rejects.toThrow('secret-key is missing')
    const rotated = await again({ FAIRLEAD_SECRET_KEY: keyTwo, FAIRLEAD_SECRET_KEY_PREVIOUS: keyOne })
    expect((await rotated.ask('POST', '/auth/refresh', { refresh_token: data.refresh_token })).status).toBe(200)
    await rotated.stop()
    await expect(again({ FAIRLEAD_SECRET_KEY: keyOne })).rejects.toThrow('FAIRLEAD_SECRET_KEY is not the key')
  })

  test('a later start fails with a secret key that other users can read, or that is too short', async () => {
    const { dataDirectory, stop } = await runServer()
    await stop()
    const path = join(dataDirectory, 'secret-key')
    await chmod(path, 0o644)
    await expect(runServer({ FAIRLEAD_DATA_DIR: dataDirectory })).rejects.toThrow(`chmod 600 ${path}`)
    await writeFile(path, '\n')
    await chmod(path, 0o600)
    await expect(runServer({ FAIRLEAD_DATA_DIR: dataDirectory })).rejects.toThrow('does not contain a secret key')
  })
})

describe('FAIRLEAD_SIGNUP', () => {
  test('FAIRLEAD_SIGNUP disables sign-up when it is off', async () => {
    const { ask } = await runServer({ FAIRLEAD_SIGNUP: 'off' })
    expect((await ask('POST', '/auth/signup', ada)).status).toBe(403)
  })
})

describe('FAIRLEAD_PASSWORDS=off', () => {
  const off = {
    FAIRLEAD_PASSWORDS: 'off',
    FAIRLEAD_OIDC_ISSUER: 'https://id.example.com',
    FAIRLEAD_OIDC_CLIENT_ID: 'fairlead',
  }

  test('FAIRLEAD_PASSWORDS=off refuses logins, sign-ups and new passwords, and lets the first admin in with the link', async () => {
    const { ask, firstAdmin, baseUrl } = await runServer(off)
    const { email, password } = ada
    const login = await ask('POST', '/auth/login', { email, password })
    expect([login.status, login.text]).toEqual([403, expect.stringContaining('Password login is disabled.')])
    expect((await ask('POST', '/auth/signup', ada)).status).toBe(403)
    const { status, data } = await ask('POST', '/auth/exchange', { token: firstAdmin?.signInToken })
    expect(status).toBe(200)
    const change = await ask('PATCH', `/users/${data.user.id}`, { password }, data.access_token)
    expect([change.status, change.text]).toEqual([403, expect.stringContaining('Passwords are disabled.')])
    const page = await (await fetch(`${baseUrl}/dashboard`)).text()
    expect(page).toContain(
      '{&quot;passwords&quot;:false,&quot;signup&quot;:false,&quot;mail&quot;:false,&quot;oidc&quot;',
    )
  })
})

describe('fairlead user sign-in-link', () => {
  test('fairlead user sign-in-link makes a link that signs a user in once', async () => {
    const { ask, dataDirectory, firstAdmin } = await runServer()
    const offline = await openOffline(readConfig({ FAIRLEAD_DATA_DIR: dataDirectory }))
    const link = await offline.signInLink(firstAdmin?.email ?? '')
    await offline.close()
    const [address, token] = link.split('#sign-in=')
    expect(address).toBe('http://127.0.0.1:8080/dashboard')
    expect((await ask('POST', '/auth/exchange', { token })).data.user.role).toBe('admin')
    expect((await ask('POST', '/auth/exchange', { token })).status).toBe(401)
  })
})

describe('fairlead user set-password', () => {
  const cli = join(import.meta.dirname, '../../../packages/cli/src/main.ts')

  test('fairlead user set-password changes a password while the service runs, and ends the sessions of the user', async () => {
    const { ask, dataDirectory } = await runServer()
    const { data } = await ask('POST', '/auth/signup', ada)
    const { code, output } = await setPassword(dataDirectory, ['ADA@example.com'], 'a password from the machine\n')
    expect([code, output]).toEqual([0, expect.stringContaining('has been set')])
    expect((await ask('POST', '/auth/login', ada)).status).toBe(400)
    const { email, password } = ada
    expect((await ask('POST', '/auth/login', { email, password })).status).toBe(401)
    expect((await ask('POST', '/auth/login', { email, password: 'a password from the machine' })).status).toBe(200)
    expect((await ask('POST', '/auth/refresh', { refresh_token: data.refresh_token })).status).toBe(401)
  })

  test.each([
    ['no email address is given', [], 'a password from the machine\n', 'missing required argument'],
    ['no user has the email address', ['eve@example.com'], 'a password from the machine\n', 'No user has'],
    ['no password comes', ['eve@example.com'], '', 'standard input'],
  ])('fairlead user set-password fails when %s', async (_case, names, input, words) => {
    const { code, output } = await setPassword(temporaryFolder(), names, input)
    expect([code, output]).toEqual([1, expect.stringContaining(words)])
  })

  test.each([
    ['is too short', 'short', '12 to 128 characters'],
    ['is common', 'password1234', 'most common'],
    ['is the email address', ada.email, 'must not be the email address'],
  ])('fairlead user set-password fails when the password %s', async (_case, input, words) => {
    const dataDirectory = temporaryFolder()
    const offline = await openOffline(readConfig({ FAIRLEAD_DATA_DIR: dataDirectory }))
    await offline.createUser(ada)
    await offline.close()
    const { code, output } = await setPassword(dataDirectory, [ada.email], `${input}\n`)
    expect([code, output]).toEqual([1, expect.stringContaining(words)])
  })

  // Debian's `script` gives a program a terminal.
  test.runIf(process.platform === 'linux')(
    'fairlead user set-password does not echo the password on a terminal',
    async () => {
      const { ask, dataDirectory } = await runServer()
      await ask('POST', '/auth/signup', ada)
      const program = `"${process.execPath}" --conditions=@fairlead/source "${cli}" user set-password ${ada.email}`
      const terminal = spawn('script', ['--quiet', '--return', '--command', program, '/dev/null'], {
        env: { ...process.env, FAIRLEAD_DATA_DIR: dataDirectory },
      })
      let shown = ''
      terminal.stdout.on('data', (text) => {
        const asked = shown.includes('Password (')
        shown += text
        if (!asked && shown.includes('Password (')) terminal.stdin.end('typed by its owner\r')
      })
      const [code] = await once(terminal, 'close')
      expect(shown).toContain('has been set')
      expect(shown).not.toContain('typed by')
      expect(code).toBe(0)
      const { email } = ada
      expect((await ask('POST', '/auth/login', { email, password: 'typed by its owner' })).status).toBe(200)
    },
  )

  async function setPassword(dataDirectory: string, names: readonly string[], input: string) {
    const command = ['--conditions=@fairlead/source', cli, 'user', 'set-password', ...names]
    const child = spawn(process.execPath, command, {
      env: { ...process.env, FAIRLEAD_DATA_DIR: dataDirectory },
    })
    let output = ''
    child.stdout.on('data', (text) => (output += text))
    child.stderr.on('data', (text) => (output += text))
    child.stdin.end(input)
    const [code] = await once(child, 'close')
    return { code, output }
  }
})

describe('secrets', () => {
  test('secrets appear in no log, no error and no file of the data directory', async () => {
    const service = await runServer({
      FAIRLEAD_SECRET_KEY: keyOne,
      FAIRLEAD_ADMIN_PASSWORD: 'CANARY-the admin’s password',
      LOG_LEVEL: 'trace',
    })
    const { ask, firstAdmin } = service
    const answers: string[] = []
    const secrets = [keyOne, 'CANARY-', firstAdmin?.apiKey ?? '']
    const refused = async (...request: Parameters<typeof ask>) => answers.push((await ask(...request)).text)

    const { data: signup } = await ask('POST', '/auth/signup', ada)
    const { data: refreshed } = await ask('POST', '/auth/refresh', { refresh_token: signup.refresh_token })
    const { data: key } = await ask('POST', '/api-keys', { name: 'robot' }, signup.access_token)
    const { data: rotated } = await ask('POST', `/api-keys/${key.id}/rotate`, {}, signup.access_token)
    const tokens = [signup.access_token, signup.refresh_token, refreshed.access_token, refreshed.refresh_token]
    secrets.push(...tokens, key.secret, rotated.secret)
    expect(secrets.every((secret) => secret.length > 6)).toBe(true)

    await refused('POST', '/auth/signup', ada)
    await refused('POST', '/auth/signup', { ...ada, password: 'CANARY' })
    await refused('POST', '/auth/login', { email: ada.email, password: 'CANARY-not the password' })
    await refused('POST', '/auth/login', { email: 'eve@example.com', password: 'CANARY-not the password', extra: 1 })
    await refused('POST', '/auth/refresh', { refresh_token: `${signup.refresh_token}x` })
    await refused('GET', '/models', undefined, `${key.secret}x`)
    await refused('GET', '/models', undefined, key.secret)
    await refused('GET', `/api-keys/${key.id}`, undefined, rotated.secret)
    const { user } = signup
    const { email, name } = ada
    const change = { email, name, password: 'CANARY-another password', current_password: 'CANARY-wrong' }
    await refused('PUT', `/users/${user.id}`, change, signup.access_token)
    await ask('GET', '/models', undefined, rotated.secret)

    const files = await Promise.all(
      (await readdir(service.dataDirectory, { recursive: true, withFileTypes: true }))
        .filter((entry) => entry.isFile())
        .map((entry) => readFile(join(entry.parentPath, entry.name), 'latin1')),
    )
    await service.stop()
    const everywhere = [service.logged(), ...answers, ...files].join('\n')
    expect(service.logged()).toContain('request completed')
    expect(files.some((text) => text.startsWith('SQLite format 3'))).toBe(true)
    for (const secret of secrets) expect(everywhere).not.toContain(secret)
  })
})

describe('injection', () => {
  test('injection into any field of an account has no effect', async () => {
    const { ask } = await runServer()
    const payloads = [
      `' or '1'='1`,
      `"; drop table users; --`,
      `x' union select * from api_keys --`,
      `%' or 1=1 /*`,
      `\\'; --`,
    ]
    const { data } = await ask('POST', '/auth/signup', ada)
    const token = data.access_token
    for (const payload of payloads) {
      const path = encodeURIComponent(payload)
      const requests: Parameters<typeof ask>[] = [
        ['POST', '/auth/login', { email: `${payload}@example.com`, password: payload }],
        ['POST', '/auth/login', { email: ada.email, password: payload }],
        ['POST', '/auth/refresh', { refresh_token: payload }],
        ['GET', '/models', undefined, `fl_${path}`],
        ['GET', `/users/${path}`, undefined, token],
        ['GET', `/users?email=${path}@example.com`, undefined, token],
        ['GET', `/users?cursor=${path}`, undefined, token],
        ['GET', `/api-keys/${path}`, undefined, token],
        ['DELETE', `/sessions/${path}`, undefined, token],
        ['GET', `/usage/timeseries?group_by=${path}`, undefined, token],
      ]
      for (const request of requests) {
        const { status, data: found } = await ask(...request)
        expect({ request, status, found }).toEqual({
          request,
          status: expect.toSatisfy((code) => (code >= 400 && code < 500) || (code === 200 && found.length === 0)),
          found,
        })
      }
      expect((await ask('PUT', `/users/${data.user.id}`, { email: ada.email, name: payload }, token)).data.name).toBe(
        payload,
      )
    }
    expect((await ask('GET', '/models', undefined, token)).status).toBe(200)
  })
})
