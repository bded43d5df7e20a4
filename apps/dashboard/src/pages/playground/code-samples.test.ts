import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { buildSchema, parse, validate } from 'graphql'
import { describe, expect, test } from 'vitest'
import { curlSample, graphqlSample, typescriptSample } from './code-samples.ts'

const text = { path: '/generate', body: { model: 'scribe', prompt: "it's", max_tokens: 5 } }
const image = { path: '/generate/image', body: { model: 'vista', prompt: 'a lake', quality: 'hd' } }
const analysis = { path: '/analyze', body: { text: 'Nice', tasks: ['sentiment'] } }
const streamed = { path: '/generate', body: { ...text.body, stream: true } }

describe('curlSample', () => {
  test('escapes single quotes for the shell', () => {
    expect(curlSample(text, 'http://service.test')).toContain(String.raw`"prompt": "it'\''s"`)
  })

  test('prints a stream as it arrives', () => {
    expect(curlSample(streamed, 'http://service.test')).toMatch(/^curl -N http:\/\/service\.test\/generate/)
  })
})

describe('typescriptSample', () => {
  test('reads events only from a stream', () => {
    expect(typescriptSample(streamed, 'http://service.test')).toContain('TextDecoderStream')
    expect(typescriptSample(text, 'http://service.test')).not.toContain('TextDecoderStream')
  })
})

describe('graphqlSample', () => {
  test('gives documents that the schema accepts', async () => {
    const file = '../../../../../packages/graphql-adapter/src/schema/schema.graphql'
    const schema = buildSchema(await readFile(join(import.meta.dirname, file), 'utf8'))
    for (const request of [text, image, analysis, streamed]) {
      expect(validate(schema, parse(graphqlSample(request).document))).toEqual([])
    }
  })

  test('names fields and values as the schema does', () => {
    expect(JSON.parse(graphqlSample(streamed).variables)).toEqual({
      input: { model: 'scribe', prompt: "it's", maxTokens: 5 },
    })
    expect(JSON.parse(graphqlSample(image).variables)).toMatchObject({ input: { quality: 'HD' } })
    expect(JSON.parse(graphqlSample(analysis).variables)).toMatchObject({ input: { tasks: ['SENTIMENT'] } })
  })
})
