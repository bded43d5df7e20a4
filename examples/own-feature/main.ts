import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { accounts, makeFirstAdmin } from '@fairlead/accounts'
import { createFairlead } from '@fairlead/core'
import { webhooks } from '@fairlead/webhooks'
import { graphqlListener } from '@fairlead/graphql-adapter'
import { local } from '@fairlead/provider-local'
import { restAdapter } from '@fairlead/rest-adapter'
import { sqliteStores } from '@fairlead/storage'
import express from 'express'
import { noteTables } from './note-tables.ts'
import { notes } from './notes.ts'

const stores = await sqliteStores({ path: process.env['DATABASE'] ?? ':memory:', tables: [noteTables] })
const fairlead = createFairlead({ providers: [local()], features: [accounts(), webhooks(), notes], stores })
const admin = await makeFirstAdmin(fairlead.core, stores, { email: 'admin@example.com' })
await fairlead.core.start()

// A method.
console.log('method', (await fairlead.notes.add({ text: 'Buy tea.' })).text)

// A REST route with an entry in the OpenAPI document, and a GraphQL field.
const app = express()
app.use('/graphql', graphqlListener(fairlead.core))
app.use(restAdapter(fairlead.core, { service: { name: 'Notes', version: '1.0.0' } }))
const server = app.listen(Number(process.env['PORT'] ?? 4000), '127.0.0.1')
await once(server, 'listening')
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

async function send(path: string, body: object, token = admin?.apiKey): Promise<unknown> {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` }
  return (await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) })).json()
}

const added = await send('/notes', { text: 'Water the plants.' })
console.log('REST', JSON.stringify((added as { readonly data: { readonly text: string } }).data.text))
const query = '{ notes(word: "plants") { nodes { text } } }'
console.log('GraphQL', JSON.stringify(await send('/graphql', { query })))
const document = (await (await fetch(`${url}/openapi.json`)).json()) as { readonly paths: object }
console.log('OpenAPI', JSON.stringify(Object.keys(document.paths).filter((path) => path.includes('notes'))))

// A key with a scope of the feature, and one without.
const key = await send('/api-keys', { name: 'reader', scopes: ['notes'] })
const { secret } = (key as { readonly data: { readonly secret: string } }).data
console.log('with the scope', JSON.stringify(await send('/graphql', { query }, secret)))
const unknown = await send('/api-keys', { name: 'reader', scopes: ['note'] })
console.log('unknown scope', (unknown as { readonly error: { readonly message: string } }).error.message)

// The event and the usage were stored with the note.
console.log('events', (await fairlead.events.list({ type: 'note.*' })).map(({ type }) => type).join(', '))
const usage = await fetch(`${url}/usage`, { headers: { authorization: `Bearer ${admin?.apiKey}` } })
const { data } = (await usage.json()) as {
  readonly data: { readonly credentials: readonly { readonly operations: object[] }[] }
}
console.log('usage', JSON.stringify(data.credentials.flatMap(({ operations }) => operations)))

server.close()
await fairlead.core.close()
