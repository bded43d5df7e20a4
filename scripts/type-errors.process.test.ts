import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')
// In `node_modules`, from where `@fairlead/core` is found, and where no check looks.
const folder = mkdtempSync(join(root, 'node_modules/.type-errors-'))
afterAll(() => rmSync(folder, { recursive: true }))

const head = `
import { action, createFairlead, list, operationsFor, read, write, type ServicesWith } from '@fairlead/core'
import * as z from 'zod'

const facts = { name: 'greet', summary: 'Greets.', access: { scope: 'generate' }, metered: false } as const
const input = z.strictObject({ name: z.string() })
const output = z.object({ text: z.string(), count: z.number() })
const own = operationsFor<ServicesWith<object, { readonly greeting: string }>>()
const stored = operationsFor<ServicesWith<{ readonly notes: { add(): Promise<void> } }>>()
const notes = stored.defineFeature({ name: 'notes', operations: {}, tables: ['notes'] })
const greet = own.read({ ...facts, input, output, run: async ({ greeting }) => ({ text: greeting, count: 1 }) })
`

/** A mistake, and what its error says: in the first line, if it is short. */
const mistakes = {
  'a service that the feature lacks': {
    code: `read({ ...facts, input, output, run: async ({ greeting }) => ({ text: greeting, count: 1 }) })`,
    error: "Property 'greeting' does not exist on type 'GatewayServices'.",
  },
  'a feature that does not return its service': {
    code: `own.defineFeature({ name: 'own', operations: { greet }, setUp: () => ({ services: {} }) })`,
    error: "Type '{}' is not assignable to type 'object & { readonly greeting: string; }'.",
  },
  'an output with a field of another type': {
    code: `read({ ...facts, input, output, run: async () => ({ text: 1, count: 1 }) })`,
    error:
      "Type 'Promise<{ text: number; count: number; }>' is not assignable to type 'Result<ZodObject<{ text: ZodString; count: ZodNumber; }, $strip>>'.",
  },
  'a record of a list that lacks a field': {
    code: `list({
      ...facts, filters: {}, record: output, find: async () => [{ id: 'a', createdAt: 1 }], show: ({ id }) => ({ text: id }),
    })`,
    error:
      "Property 'count' is missing in type '{ text: string; }' but required in type '{ text: string; count: number; }'.",
  },
  'the function of another kind': {
    code: `write({ ...facts, input, output, run: async () => ({ text: 'a', count: 1 }) })`,
    error: "Object literal may only specify known properties, and 'run' does not exist in type '",
  },
  'a table that is neither in memory nor named': {
    code: `stored.defineFeature({ name: 'notes', operations: {} })`,
    error: "Property 'tables' is missing in type '{ name: string; operations: {}; }'",
  },
  'a name that no table has': {
    code: `stored.defineFeature({ name: 'notes', operations: {}, tables: ['note'] })`,
    error: 'Type \'"note"\' is not assignable to type \'"notes"\'.',
  },
  'a core without the stores of a feature': {
    code: `createFairlead({ providers: [], features: [notes] })`,
    error: "Property 'stores' is missing in type",
  },
  'an action whose result lacks a field': {
    code: `action({ ...facts, input, output, run: async (_services, _call, { input }) => ({ text: input.name }) })`,
    error: "Property 'count' is missing in type '{ text: string; }'",
  },
  'an action whose map returns another type': {
    code: `action({ ...facts, input, output, generate: ({ name }) => ({ model: 'm', prompt: name }), map: () => ({ text: 1, count: 1 }) })`,
    error: "Type '{ text: number; count: number; }' is not assignable to type '{ text: string; count: number; }'.",
  },
  'an input field that is not declared': {
    code: `read({ ...facts, input, output, run: async (_services, _call, { nam }) => ({ text: nam, count: 1 }) })`,
    error: "Property 'nam' does not exist on type '{ name: string; }'.",
  },
}

let printed = ''
beforeAll(async () => {
  const files = Object.values(mistakes).map(({ code }, index) => {
    writeFileSync(join(folder, `mistake-${index}.ts`), `${head}\nexport const mistake = ${code}\n`)
    return `mistake-${index}.ts`
  })
  const compilerOptions = { composite: false, noEmit: true, rootDir: root, allowImportingTsExtensions: true }
  const config = { extends: join(root, 'tsconfig.base.json'), compilerOptions, files }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config))
  printed = await new Promise((resolve) => {
    const args = [join(root, 'node_modules/typescript/bin/tsc'), '-p', folder, '--pretty', 'false']
    execFile(process.execPath, args, (_error, stdout) => resolve(stdout))
  })
})

describe('a mistake in an operation is one type error, which names it', () => {
  test.each(Object.entries(mistakes))(
    'a mistake in an operation is one type error, which names it: %s',
    (name, { error }) => {
      const file = `mistake-${Object.keys(mistakes).indexOf(name)}.ts`
      const [first, ...others] = printed.split(/\n(?! )/).filter((each) => each.includes(file))
      expect(first).toContain(error)
      expect(others).toEqual([])
    },
  )
})
