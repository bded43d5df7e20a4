import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { eventGroups, eventTypes } from './event-types.ts'

test('the dashboard lists the event types of the API reference', () => {
  const document = JSON.parse(readFileSync(new URL('../../../../docs/openapi.json', import.meta.url), 'utf8')) as {
    readonly 'x-webhooks': Readonly<Record<string, { readonly post: { readonly summary: string } }>>
  }
  const documented = Object.entries(document['x-webhooks']).map(([type, { post }]) => ({ type, when: post.summary }))
  expect(eventTypes).toEqual(documented)
  expect(eventGroups).toEqual([...new Set(documented.map(({ type }) => type.replace(/\..*/, '.*')))])
})
