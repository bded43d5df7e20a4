import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { writeApiTypes } from './api-types.mjs'

describe('writeApiTypes', () => {
  test('writes the types once for the same document, without its examples', () => {
    const { run, printed, read } = checkout()
    run()
    run()
    expect(printed).toEqual(['{"paths":{"/a":{}}}'])
    expect(read()).toMatch(/^\/\/ Generated from docs\/openapi.json: [0-9a-f]{64}\ntypes 1$/)
  })

  test.for(['docs/openapi.json', 'pnpm-lock.yaml'])('writes the types again after a change of %s', (path) => {
    const { run, write, printed, read } = checkout()
    run()
    write(path, '{}')
    run()
    expect(printed).toHaveLength(2)
    expect(read()).toContain('types 2')
  })

  test('keeps the types that it has when the document is invalid', () => {
    const { run, write, read, files } = checkout()
    run()
    write('docs/openapi.json', '<<<<<<<')
    run()
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
  const printed: string[] = []
  const print = (_node: string, _root: string, document: string) => {
    printed.push(document)
    return `types ${printed.length}`
  }
  return {
    write,
    printed,
    run: () => writeApiTypes(root, process.execPath, print),
    read: () => readFileSync(join(api, 'schema.d.ts'), 'utf8'),
    files: () => readdirSync(api),
  }
}
