import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { local } from '@fairlead/provider-local'
import { readConfig } from '@fairlead/server/config'
import { logDestination } from '@fairlead/server/logging'
import { start } from '@fairlead/server/start'

/** The message from the server to the benchmark once it listens: a key for each account. */
export interface Tenants {
  readonly url: string
  readonly keys: { readonly hostile: string; readonly other: string }
}

const requestsPerMinute = { free: 60, pro: 600 }
const password = 'correct horse battery staple'

/** The service as operators run it, with its embedded models, burst limits, and two accounts. */
const directory = mkdtempSync(join(tmpdir(), 'fairlead-tenants-'))
process.on('exit', () => rmSync(directory, { recursive: true, force: true }))
const config = readConfig({ PORT: '0', FAIRLEAD_DATA_DIR: directory })
const { baseUrl: url, firstAdmin } = await start(config, {
  service: { name: 'Fairlead', version: 'bench' },
  logTo: logDestination(join(directory, 'requests.log')),
  loadProviders: async () => [local()],
  file: { path: '', name: 'bench', config: { rateLimits: { requestsPerMinute } } },
})

const keys = { hostile: await addAccount('hostile', 'free'), other: await addAccount('other', 'pro') }
process.on('disconnect', () => process.exit(0))
process.send?.({ url, keys } satisfies Tenants)

async function addAccount(name: string, tier: 'free' | 'pro'): Promise<string> {
  const email = `${name}@example.com`
  await post('/users', { email, password, name, tier }, firstAdmin?.apiKey)
  const { access_token: token } = await post('/auth/login', { email, password })
  return (await post('/api-keys', { name: 'bench' }, token))['secret'] ?? ''
}

async function post(path: string, body: object, token?: string): Promise<Record<string, string>> {
  const response = await fetch(url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
    body: JSON.stringify(body),
  })
  const { data, error } = (await response.json()) as { data?: Record<string, string>; error?: { message: string } }
  if (!data) throw new Error(`${path}: ${error?.message}`)
  return data
}
