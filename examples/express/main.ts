import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { accounts, makeFirstAdmin } from '@fairlead/accounts'
import { createFairlead } from '@fairlead/core'
import { memoryStores } from '@fairlead/core/stores'
import { graphqlListener } from '@fairlead/graphql-adapter'
import { local } from '@fairlead/provider-local'
import { restAdapter } from '@fairlead/rest-adapter'
import express from 'express'

const features = [accounts()] as const
const stores = memoryStores({ features })
const fairlead = createFairlead({ providers: [local()], features, stores })
const admin = await makeFirstAdmin(fairlead.core, stores, { email: 'admin@example.com' })

const app = express()
app.get('/about', (_request, response) => void response.send('A shop that writes its own texts.'))
app.use('/graphql', graphqlListener(fairlead.core))
// Last, because it answers every other path with 404.
app.use(restAdapter(fairlead.core, { service: { name: 'Shop', version: '1.0.0' } }))

const server = app.listen(Number(process.env.PORT ?? 4000), '127.0.0.1')
await once(server, 'listening')
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

async function ask(path: string, body: object): Promise<unknown> {
  const response = await fetch(url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${admin?.apiKey}` },
    body: JSON.stringify(body),
  })
  return response.json()
}

console.log(await (await fetch(`${url}/about`)).text())
console.log(await ask('/v1/generate', { model: 'scribe', prompt: 'Write a haiku about rain', seed: 7 }))
console.log(await ask('/graphql', { query: '{ models(type: TEXT) { id } }' }))

server.close()
await fairlead.core.close()
