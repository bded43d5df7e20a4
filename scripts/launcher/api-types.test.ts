import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { writeApiTypes } from './api-types.mjs'

describe('writeApiTypes', () => {
  test('writeApiTypes writes the types once for the same document, without its examples', () => {
    const { run, documents, read } = checkout()
    run()
    run()
    expect(documents).toEqual(['{"paths":{"/a":{}}}'])
    expect(read()).toMatch(/^\/\/ Generated from docs\/openapi.json: [0-9a-f]{64}\ntypes 1$/)
  })

  test.for(['docs/openapi.json', 'pnpm-lock.yaml'])(
    'writeApiTypes writes the types again after a change of %s',
    (path) => {
      const { run, write, documents, read } = checkout()
      run()
      write(path, '{}')
      run()
      expect(documents).toHaveLength(2)
      expect(read()).toContain('types 2')
    },
  )

  test('writeApiTypes keeps the types that it has when the document is invalid', () => {
    const { run, write, read, files, lines } = checkout()
    run()
    write('docs/openapi.json', '<<<<<<<')
    run()
    expect(lines).toEqual([expect.stringMatching(/^the types of the API could not be generated .*\nSyntaxError: /)])
    expect(read()).toContain('types 1')
    expect(files()).toEqual(['schema.d.ts'])
  })
})

function checkout() {
  const root = mkdtempSync(join(tmpdir(), 'fairlead-api-types-'))
  onTestFinished(() => rmSync(root, { recursive: true }))
  const api = join(root, 'apps/dashboard/src/api')
  mkdirSync(api, { recursive: true })
  mkdirSync(join(root, 'docs'))
  const write = (path: string, text: string) => writeFileSync(join(root, path), text)
  write('docs/openapi.json', '{"paths":{"/a":{"examples":[1]}}}')
  write('pnpm-lock.yaml', 'locked')
  const documents: string[] = []
  const lines: string[] = []
  const generate = (_node: string, _root: string, document: string) => {
    documents.push(document)
    return `types ${documents.length}`
  }
  return {
    write,
    documents,
    lines,
    run: () => writeApiTypes(root, process.execPath, generate, (line) => void lines.push(line)),
    read: () => readFileSync(join(api, 'schema.d.ts'), 'utf8'),
    files: () => readdirSync(api),
  }
}
