import { JsonScan, minListBytes } from '@fairlead/core/adapter'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { writeJson } from './write-json.ts'

const textOf = (body: unknown) => Buffer.from(writeJson(body)).toString()

/** An object of a long list, whose text is kept. */
function sentAs(text: string): object {
  const body = Buffer.from(`{"list":[${text},"${'x'.repeat(minListBytes)}"]}`)
  const scan = new JsonScan({ findsLists: true })
  scan.add(body)
  const { list } = scan.lists!.parseAtOnce(body) as { readonly list: readonly object[] }
  return list[0]!
}

test('a body has the text that JSON.stringify gives', () => {
  fc.assert(
    fc.property(fc.anything({ maxDepth: 3, values: [fc.jsonValue(), fc.constant(undefined)] }), (value) => {
      const body = { model: 'm', value, list: [{ value }, value], none: undefined }
      expect(textOf(body)).toBe(JSON.stringify(body))
    }),
  )
})

test('an object of a list is sent as the client wrote it', () => {
  const message = '{ "role":"user", "content":"\\u00e9", "n":1.0 }'
  const own = { role: 'system', content: 'Be brief.' }
  expect(textOf({ model: 'm', messages: [own, sentAs(message), own], max_tokens: 1 })).toBe(
    `{"model":"m","messages":[${JSON.stringify(own)},${message},${JSON.stringify(own)}],"max_tokens":1}`,
  )
})

test('a copy of an object is written anew', () => {
  const sent = sentAs('{ "role":"user" }')
  expect(textOf({ messages: [{ ...sent, name: 'a' }] })).toBe('{"messages":[{"role":"user","name":"a"}]}')
})
