import { mkdtempSync, rmSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { accounts, makeFirstAdmin } from '@fairlead/accounts'
import { createFairlead, type Credentials } from '@fairlead/core'
import { shipments } from '@fairlead/shipments'
import { createIds } from '@fairlead/core/adapter'
import { buildSchema } from '@fairlead/graphql-adapter'
import { sqliteStores } from '@fairlead/storage'
import express from 'express'
import { createYoga } from 'graphql-yoga'
import { generate, reportUsage } from './report-usage.ts'
import { tenModels } from './ten-models.ts'

/** Yoga in Express, as in its documentation, with Fairlead's own schema over the same operations and stores. */
const directory = mkdtempSync(join(tmpdir(), 'fairlead-bench-'))
process.on('exit', () => rmSync(directory, { recursive: true, force: true }))
const stores = await sqliteStores({ path: join(directory, 'fairlead.db') })
const newId = createIds(Date.now)
const { core } = createFairlead({ providers: [tenModels], features: [accounts(), shipments()], stores })
const admin = await makeFirstAdmin(core, stores, { email: 'admin@example.com' })
const yoga = createYoga({
  schema: buildSchema(core),
  context: ({ request }) => ({
    core,
    credentials: credentialsOf(request.headers.get('authorization') ?? ''),
    requestId: newId('req'),
    address: '127.0.0.1',
    signal: request.signal,
    outcome: {},
  }),
})
const app = express()
app.use(yoga.graphqlEndpoint, yoga)
const server = app.listen(0, '127.0.0.1', () =>
  reportUsage((server.address() as AddressInfo).port, generate(admin?.apiKey)),
)

function credentialsOf(header: string): Credentials {
  return { kind: 'bearer', token: header.slice('Bearer '.length) }
}
