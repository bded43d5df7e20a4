import { once } from 'node:events'
import { existsSync, mkdirSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { makeFirstAdmin } from '@fairlead/accounts'
import { local } from '@fairlead/provider-local'
import { sqliteStores } from '@fairlead/storage'
import { createApp } from './app.ts'

if (existsSync('.env')) process.loadEnvFile()
mkdirSync('data', { recursive: true })
const app = createApp({
  providers: [local()],
  writers: ['local/scribe'],
  stores: await sqliteStores({ path: 'data/app.db' }),
})

const server = createServer(app.listener).listen(Number(process.env['PORT'] ?? 3000), '127.0.0.1')
await once(server, 'listening')
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
console.log(`Listening on ${url}`)

const admin = await makeFirstAdmin(app.fairlead.core, app.stores, { email: 'admin@example.com' })
if (admin) {
  console.log(`
The API key of the admin, which is shown only once: ${admin.apiKey}

  curl ${url}/titles -H 'Content-Type: application/json' \\
    -H 'Authorization: Bearer ${admin.apiKey}' \\
    -d '{"text": "It rained all day, and the river rose. By the evening, the lower bridge was closed."}'
`)
}

app.fairlead.core.startJobs()
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    server.close()
    void app.fairlead.core.close()
  })
}
