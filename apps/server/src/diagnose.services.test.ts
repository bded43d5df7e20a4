import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createTestDatabase, damageTable, findPostgres, queryFile } from '@fairlead/storage/testing'
import { describe, expect, onTestFinished, test } from 'vitest'
import { readConfig } from './config.ts'
import { diagnose, type Finding } from './diagnose.ts'
import { openData } from './open-data.ts'
import { oidcProvider } from './testing/oidc-provider.ts'

const postgres = await findPostgres()

describe('a folder without data', () => {
  test('a folder without data passes every check and stays empty', async () => {
    const folder = temporaryFolder()
    const findings = await runDiagnosis({}, folder)
    expect(findings.map(({ check, status }) => [check, status])).toEqual([
      ['node', 'ok'],
      ['configuration', 'ok'],
      ['port', 'ok'],
      ['open files', expect.stringMatching(/ok|warn/)],
      ['data folder', 'ok'],
      ['database', 'ok'],
      ['provider local', 'ok'],
      ['clock', 'ok'],
    ])
    expect(readdirSync(folder)).toEqual([])
  })
})

describe('the configuration', () => {
  test('the check of the configuration fails for each invalid variable and field, and what depends on none is still checked', async () => {
    const folder = temporaryFolder()
    writeFileSync(join(folder, 'fairlead.config.json'), '{ "providrs": [] }')
    const environment = { PORT: 'x', LOG_LEVEL: 'loud', FAIRLEAD_SECRET_KEY_FILE: '/none' }
    const findings = await runDiagnosis(environment, folder)
    expect(findings.slice(1).map(({ check, status, message }) => [check, status, message.split(' ')[0]])).toEqual([
      ['configuration', 'fail', 'FAIRLEAD_SECRET_KEY_FILE'],
      ['configuration', 'fail', 'PORT'],
      ['configuration', 'fail', 'LOG_LEVEL'],
      ['configuration', 'fail', 'fairlead.config.json:'],
      ['open files', expect.stringMatching(/ok|warn/), expect.any(String)],
      ['data folder', 'ok', 'the'],
      ['database', 'ok', 'SQLite;'],
      ['clock', 'ok', 'it'],
    ])
  })

  test('the check of the configuration leaves providers to their own checks', async () => {
    const folder = temporaryFolder()
    const file = {
      providers: ['local', { use: 'openai', apiKey: { env: 'TEAM_KEY' } }],
    }
    writeFileSync(join(folder, 'fairlead.config.json'), JSON.stringify(file))
    const findings = await runDiagnosis({ PORT: 'x' }, folder)
    const ofProviders = findings.filter(({ check }) => check.startsWith('provider'))
    expect(ofProviders).toEqual([
      { check: 'provider local', status: 'ok', message: 'fairlead.config.json' },
      {
        check: 'provider openai',
        status: 'fail',
        message: 'fairlead.config.json: providers[1].apiKey names the variable TEAM_KEY, which is not set',
      },
    ])
  })

  test('the check of the database is left out if DATABASE_URL is invalid, because the service would not use SQLite', async () => {
    const findings = await runDiagnosis({ DATABASE_URL: 'mysql://db', FAIRLEAD_SECRET_KEY: 'k'.repeat(32) })
    expect(findings.map(({ check }) => check)).toEqual([
      'node',
      'configuration',
      'port',
      'open files',
      'data folder',
      'provider local',
      'clock',
    ])
  })

  test('the check of the configuration warns about an unknown variable', async () => {
    expect(await runDiagnosis({ FAIRLEAD_DATADIR: 'x' })).toContainEqual({
      check: 'configuration',
      status: 'warn',
      message: 'Unknown environment variable FAIRLEAD_DATADIR; did you mean FAIRLEAD_DATA_DIR?',
    })
  })
})

describe('single sign-on', () => {
  test('the check of single sign-on passes if the provider has the issuer', async () => {
    const { issuer, open } = await oidcProvider()
    open('http://127.0.0.1')
    const found = await finding('single sign-on', { FAIRLEAD_OIDC_ISSUER: issuer, FAIRLEAD_OIDC_CLIENT_ID: 'fairlead' })
    expect(found).toMatchObject({ status: 'ok' })
  })

  test('the check of single sign-on fails if another server answers', async () => {
    const port = await listening((_, response) => response.writeHead(404).end())
    const environment = { FAIRLEAD_OIDC_ISSUER: `http://127.0.0.1:${port}`, FAIRLEAD_OIDC_CLIENT_ID: 'fairlead' }
    expect(await finding('single sign-on', environment)).toEqual({
      status: 'fail',
      message: expect.stringContaining('Check FAIRLEAD_OIDC_ISSUER.'),
    })
  })
})

describe('the port', () => {
  test('the check of the port fails if another program listens on it', async () => {
    const port = await listening((_, response) => response.end('hello'))
    expect(await finding('port', { PORT: String(port) })).toEqual({
      status: 'fail',
      message: `Port ${port} is in use: stop the program that listens on it, or set PORT to another one.`,
    })
  })

  test('the check of the port passes if Fairlead listens on it', async () => {
    const port = await listening((_, response) => response.end('{"status":"ok"}'))
    expect(await finding('port', { PORT: String(port) })).toEqual({
      status: 'ok',
      message: `Fairlead already listens on http://127.0.0.1:${port}`,
    })
  })
})

describe('the data folder', () => {
  test('the check of the data folder fails if it is a file', async () => {
    const file = join(temporaryFolder(), 'data')
    writeFileSync(file, '')
    expect(await finding('data folder', { FAIRLEAD_DATA_DIR: file })).toEqual({
      status: 'fail',
      message: `${file} is not a folder: set FAIRLEAD_DATA_DIR to another path.`,
    })
  })
})

describe('the database', () => {
  test('the database is named with its version and the migrations that the next start runs', async () => {
    const folder = await dataFolder()
    expect(await finding('database', { FAIRLEAD_DATA_DIR: folder })).toEqual({
      status: 'ok',
      message: expect.stringMatching(/^SQLite 3\.\d+\.\d+, \d MB$/),
    })
    queryFile(join(folder, 'fairlead.db'), "delete from migrations where name like '0013%' returning name")
    expect((await finding('database', { FAIRLEAD_DATA_DIR: folder }))?.message).toMatch(
      /the next start runs 1 migration$/,
    )
  })

  test('the check of the database fails if it is damaged, and says to restore a backup', async () => {
    const folder = await dataFolder()
    damageTable(join(folder, 'fairlead.db'), 'shipments')
    expect(await finding('database', { FAIRLEAD_DATA_DIR: folder })).toEqual({
      status: 'fail',
      message: expect.stringMatching(/damaged.*restore it from a backup$/),
    })
  })

  test('the check of the database fails if PostgreSQL cannot be reached, without its password', async () => {
    const database = { DATABASE_URL: 'postgres://ada:secret@127.0.0.1:1/fairlead', FAIRLEAD_SECRET_KEY: 'k'.repeat(32) }
    const { status, message } = (await finding('database', database))!
    expect([status, message]).toEqual([
      'fail',
      expect.stringMatching(/^PostgreSQL at 127\.0\.0\.1:1\/fairlead cannot be used/),
    ])
    expect(message).not.toContain('secret')
  })

  test.skipIf(!postgres)(
    'the database on PostgreSQL is named with its version, and its clock is compared',
    async () => {
      const database = await createTestDatabase(postgres!)
      onTestFinished(() => database.drop())
      const environment = { DATABASE_URL: database.url, FAIRLEAD_SECRET_KEY: 'k'.repeat(32) }
      expect((await finding('database', environment))?.message).toMatch(
        /^PostgreSQL \d.*the next start runs \d+ migrations$/,
      )
      expect(await finding('clock', environment)).toEqual({ status: 'ok', message: 'agrees with PostgreSQL' })
      expect(await database.query('select * from pg_tables where schemaname = current_schema()')).toEqual([])
    },
  )
})

describe('Redis', () => {
  test('the check of Redis fails if it cannot be reached', async () => {
    expect(await finding('redis', { REDIS_URL: 'redis://127.0.0.1:1' })).toEqual({
      status: 'fail',
      message: expect.stringMatching(/^Redis cannot be used: .*ECONNREFUSED.*\. Check REDIS_URL and the server\.$/),
    })
  })
})

describe('a provider', () => {
  const answering = async (status: number, body: object) => {
    const requests: string[] = []
    const port = await listening((request, response) => {
      requests.push(`${request.method} ${request.url}`)
      response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body))
    })
    return { requests, environment: { OPENAI_API_KEY: 'sk-1', OPENAI_BASE_URL: `http://127.0.0.1:${port}/v1` } }
  }

  test('a provider is not called unless asked for', async () => {
    const { requests, environment } = await answering(200, { data: [] })
    expect(await finding('provider openai', environment)).toEqual({
      status: 'ok',
      message: 'OPENAI_API_KEY with OPENAI_BASE_URL',
    })
    expect(requests).toEqual([])
  })

  test('a provider is called once if asked for', async () => {
    const { requests, environment } = await answering(200, { object: 'list', data: [] })
    expect(await finding('provider openai', environment, { callProviders: true })).toEqual({
      status: 'ok',
      message: 'answered',
    })
    expect(requests).toEqual(['GET /v1/models'])
  })

  test('the check of a provider fails if it rejects the key', async () => {
    const { environment } = await answering(401, { error: { message: 'Incorrect API key provided.' } })
    expect(await finding('provider openai', environment, { callProviders: true })).toEqual({
      status: 'fail',
      message: expect.stringContaining('API key'),
    })
  })
})

interface Options {
  readonly callProviders?: boolean
}

/** In an empty folder, and on a free port, unless the environment names others. */
async function runDiagnosis(
  environment: Readonly<Record<string, string>>,
  folder = temporaryFolder(),
  { callProviders = false }: Options = {},
): Promise<readonly Finding[]> {
  const world = { PORT: '0', FAIRLEAD_DATA_DIR: join(folder, 'data'), ...environment }
  const findings: Finding[] = []
  for await (const each of diagnose({ environment: world, folder, callProviders })) findings.push(each)
  return findings
}

async function finding(name: string, environment: Readonly<Record<string, string>>, options?: Options) {
  const findings = await runDiagnosis(environment, temporaryFolder(), options)
  const found = findings.find(({ check }) => check === name)
  return found && { status: found.status, message: found.message }
}

async function listening(listener: RequestListener): Promise<number> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return (server.address() as AddressInfo).port
}

/** With a database in it. */
async function dataFolder(): Promise<string> {
  const folder = temporaryFolder()
  const { stores } = await openData(readConfig({ FAIRLEAD_DATA_DIR: folder }))
  await stores.close()
  return folder
}

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'fairlead-diagnose-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}
