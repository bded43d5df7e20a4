import type { AddressInfo } from 'node:net'
import { accounts, createFairlead, createIds, makeFirstAdmin, systemClock } from '@fairlead/core'
import { memoryStores } from '@fairlead/core/stores'
import { graphqlAdapter } from '@fairlead/graphql-adapter'
import { local } from '@fairlead/provider-local'
import { serve } from '@hono/node-server'
import { Hono } from 'hono'

const stores = memoryStores()
const fairlead = createFairlead({ providers: [local()], features: [accounts()], stores })
const newId = createIds(systemClock.now)
const admin = await makeFirstAdmin(stores, { email: 'admin@example.com', clock: systemClock, newId })

const graphql = graphqlAdapter(fairlead)
const app = new Hono()
app.all('/graphql', (context) => graphql(context.req.raw))

const server = serve({ fetch: app.fetch, hostname: '127.0.0.1', port: Number(process.env.PORT ?? 4000) })
await new Promise((resolve) => server.once('listening', resolve))
const { port } = server.address() as AddressInfo

const response = await fetch(`http://127.0.0.1:${port}/graphql`, {
  method: 'POST',
  headers: { 'content-type': 'application/json', authorization: `Bearer ${admin?.apiKey}` },
  body: JSON.stringify({
    query: 'mutation ($input: GenerateInput!) { generate(input: $input) { content meta { provider } } }',
    variables: { input: { model: 'scribe', prompt: 'Write a haiku about rain', seed: 7 } },
  }),
})
console.log(JSON.stringify(await response.json(), null, 2))

server.close()
await fairlead.close()
