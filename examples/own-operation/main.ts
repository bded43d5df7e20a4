import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createFairlead } from '@fairlead/core'
import { graphqlListener } from '@fairlead/graphql-adapter'
import { local } from '@fairlead/provider-local'
import { restAdapter } from '@fairlead/rest-adapter'
import express from 'express'
import { translations } from './translate.ts'

const fairlead = createFairlead({ providers: [local()], features: [translations] })
const input = { text: 'Guten Morgen', to: 'en', model: 'mirror' } as const

// A method, and a stream.
console.log('method', (await fairlead.translate(input)).text)
for await (const { text } of fairlead.translate.stream(input)) console.log('chunk', text)

// A REST route with an entry in the OpenAPI document, and a GraphQL field. This core has no accounts, so the adapters need
// `authenticate`.
const access = { authenticate: (token: string | undefined) => token === 'secret' }
const app = express()
app.use('/graphql', graphqlListener(fairlead.core, access))
app.use(restAdapter(fairlead.core, { ...access, service: { name: 'Translator', version: '1.0.0' } }))
const server = app.listen(Number(process.env['PORT'] ?? 4000), '127.0.0.1')
await once(server, 'listening')
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

async function post(path: string, body: object, token = 'secret'): Promise<unknown> {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` }
  return (await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) })).json()
}

const query =
  'mutation ($input: TranslateInput!) { translate(input: $input) { translation { text meta { provider } } } }'
console.log('REST', JSON.stringify(await post('/v1/translations', input)))
console.log('refused', JSON.stringify(await post('/v1/translations', input, 'wrong')))
console.log('invalid', JSON.stringify(await post('/v1/translations', { ...input, to: 'xx' })))
console.log('GraphQL', JSON.stringify(await post('/graphql', { query, variables: { input: { ...input, to: 'EN' } } })))
const document = (await (await fetch(`${url}/openapi.json`)).json()) as { readonly paths: object }
console.log('OpenAPI', JSON.stringify(Object.keys(document.paths).filter((path) => path.includes('translations'))))

server.close()
await fairlead.core.close()
