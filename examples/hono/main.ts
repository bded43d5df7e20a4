import { accounts, makeFirstAdmin } from '@fairlead/accounts'
import { createFairlead } from '@fairlead/core'
import { memoryStores } from '@fairlead/core/stores'
import { graphqlAdapter } from '@fairlead/graphql-adapter'
import { local } from '@fairlead/provider-local'
import { restAdapter } from '@fairlead/rest-adapter'
import { Hono } from 'hono'

const features = [accounts()] as const
const stores = memoryStores({ features })
const fairlead = createFairlead({ providers: [local()], features, stores })
const admin = await makeFirstAdmin(fairlead.core, stores, { email: 'admin@example.com' })

const graphql = graphqlAdapter(fairlead.core)
const rest = restAdapter(fairlead.core, { service: { name: 'Shop', version: '1.0.0' }, basePath: '/ai' })
const app = new Hono()
app.all('/graphql', (context) => graphql(context.req.raw))
app.all('/ai/*', (context) => rest.handle(context.req.raw))

// Serve `app` as your platform does: with `serve` of @hono/node-server, or `export default app` for Bun, Deno and Workers.
async function post(path: string, body: object): Promise<Response> {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${admin?.apiKey}` }
  return app.request(path, { method: 'POST', headers, body: JSON.stringify(body) })
}

const input = { model: 'scribe', prompt: 'Write a haiku about rain', seed: 7 }
console.log('REST', JSON.stringify(await (await post('/ai/generate', input)).json()))

const stream = await post('/ai/generate', { ...input, stream: true })
for await (const part of stream.body?.pipeThrough(new TextDecoderStream()) ?? []) process.stdout.write(part)

const query =
  'mutation ($input: GenerateInput!) { generate(input: $input) { generation { content meta { provider } } } }'
console.log('GraphQL', JSON.stringify(await (await post('/graphql', { query, variables: { input } })).json()))

await fairlead.core.close()
