import { z } from 'zod'
import { type Feature, isOperation, operationsOf } from '../runtime/feature.ts'
import { canStream, type Operation } from '../runtime/operation.ts'

type Schema = z.core.JSONSchema.JSONSchema

/** The TypeScript types of a feature's methods, with the descriptions of its schemas as TSDoc. */
export function printMethods(feature: Feature): string {
  const types = new Map<string, string>()
  const operations = operationsOf([feature])
  for (const operation of operations) addTypes(types, operation)
  const methods = Object.entries(feature.operations).map(([name, entry]) =>
    isOperation(entry)
      ? printMethod(name, entry)
      : `readonly ${name}: {\n${Object.entries(entry)
          .map(([verb, operation]) => printMethod(verb, operation))
          .join('\n')}\n}`,
  )
  const used = ['Method', 'StreamingMethod', 'SubscriptionMethod'].filter((type) =>
    methods.some((method) => method.includes(`: ${type}<`) || method.includes(` ${type}<`)),
  )
  return [
    '// Generated from the operations: npm test -- packages/core/src/methods.test.ts --update',
    `import type { ${used.join(', ')} } from '../runtime/method.ts'`,
    '',
    `export interface ${pascal(feature.name)}Methods {\n${methods.join('\n')}\n}`,
    '',
    [...types.values()].join('\n\n'),
    '',
  ].join('\n')
}

/** The names of the types that `printMethods` prints. */
export function namesIn(printed: string): readonly string[] {
  return [...printed.matchAll(/^export (?:interface|type) (\w+)/gm)].map(([, name = '']) => name)
}

function printMethod(name: string, operation: Operation): string {
  const { input, data, chunk } = namesOf(operation)
  return `${comment(operation.summary)}readonly ${name}: ${methodType()}`

  function methodType(): string {
    if (operation.kind === 'subscription') return `SubscriptionMethod<${input}, ${data}>`
    return chunk === undefined ? `Method<${input}, ${data}>` : `StreamingMethod<${input}, ${data}, ${chunk}>`
  }
}

function namesOf(operation: Operation) {
  const name = pascal(operation.name)
  const { $ref, items } = outputSchema(operation.output)
  const list = typeof items === 'object' && !Array.isArray(items) && items.$ref
  const data = $ref ? nameIn($ref) : list ? `${nameIn(list)}[]` : `${name}Result`
  const chunk = canStream(operation) ? `${name}Chunk` : undefined
  return { input: `${name}Input`, data, chunk }
}

function addTypes(types: Map<string, string>, operation: Operation): void {
  const { input, data, chunk } = namesOf(operation)
  const declared = z.toJSONSchema(operation.input, { io: 'input', unrepresentable: 'any' })
  const renamed = addDefinitions(types, declared, 'input')
  types.set(
    input,
    printType(input, { ...declared, description: `The input of \`${operation.name}\`.` }, 'input', renamed),
  )
  const output = outputSchema(operation.output)
  addDefinitions(types, output, 'output')
  if (data.endsWith('Result')) types.set(data, printType(data, output, 'output', {}))
  if (chunk === undefined || operation.kind !== 'inference' || !operation.stream) return
  const streamed = outputSchema(operation.stream.chunk)
  addDefinitions(types, streamed, 'output')
  types.set(
    chunk,
    streamed.$ref ? `export type ${chunk} = ${nameIn(streamed.$ref)}` : printType(chunk, streamed, 'output', {}),
  )
}

function outputSchema(schema: z.ZodType): Schema {
  return z.toJSONSchema(schema, { unrepresentable: 'any' })
}

/** A definition of one name may differ between input and output; the input's then gets a name of its own. */
export function addDefinitions(
  types: Map<string, string>,
  { $defs = {} }: Schema,
  io: 'input' | 'output',
): Record<string, string> {
  const renamed: Record<string, string> = {}
  for (const name of Object.keys($defs)) if (io === 'input') renamed[name] = `${name}Input`
  for (const [name, definition] of Object.entries($defs)) {
    const own = renamed[name] ?? name
    types.set(own, printType(own, definition, io, renamed))
  }
  return renamed
}

type Names = Readonly<Record<string, string>>

function printType(name: string, schema: Schema, io: 'input' | 'output', renamed: Names): string {
  const head = comment(schema.description)
  if (schema.properties && Object.keys(schema.properties).length === 0)
    return `${head}export type ${name} = Record<string, never>`
  if (schema.type !== 'object' || !schema.properties)
    return `${head}export type ${name} = ${print(schema, io, renamed)}`
  return `${head}export interface ${name} ${printFields(schema, io, renamed)}`
}

function printFields({ properties = {}, required = [] }: Schema, io: 'input' | 'output', renamed: Names): string {
  const fields = Object.entries(properties).map(([name, field]) => {
    const schema = field as Schema
    const isOptional = !required.includes(name)
    const type = print(schema, io, renamed)
    const note = 'default' in schema ? `Default: \`${JSON.stringify(schema.default)}\`.` : ''
    return `${comment([schema.description, note].filter(Boolean).join(' '))}${io === 'input' ? 'readonly ' : ''}${name}${isOptional ? '?' : ''}: ${type}${isOptional ? ' | undefined' : ''}`
  })
  return `{\n${fields.join('\n')}\n}`
}

function print(schema: Schema, io: 'input' | 'output', renamed: Names): string {
  if (schema.$ref) return renamed[nameIn(schema.$ref)] ?? nameIn(schema.$ref)
  if (schema.const !== undefined) return JSON.stringify(schema.const).replaceAll('"', "'")
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value).replaceAll('"', "'")).join(' | ')
  const options = schema.anyOf ?? schema.oneOf
  if (options) return options.map((option) => print(option as Schema, io, renamed)).join(' | ')
  if (Array.isArray(schema.type)) return schema.type.map((type) => print({ type } as Schema, io, renamed)).join(' | ')
  switch (schema.type) {
    case 'integer':
    case 'number':
      return 'number'
    case 'array': {
      const entry = print(schema.items as Schema, io, renamed)
      return `${io === 'input' ? 'readonly ' : ''}${entry.includes('|') ? `(${entry})` : entry}[]`
    }
    case 'object':
      if (schema.properties) return printFields(schema, io, renamed)
      return `${io === 'input' ? 'Readonly<' : ''}Record<string, ${print((schema.additionalProperties || {}) as Schema, io, renamed)}>${io === 'input' ? '>' : ''}`
    default:
      return schema.type ?? 'unknown'
  }
}

/** A TSDoc comment; empty without a text. */
export function comment(text: string | undefined): string {
  return text ? `/** ${text.replaceAll('*/', '*\\/')} */\n` : ''
}

const nameIn = ($ref: string) => $ref.slice($ref.lastIndexOf('/') + 1)
const pascal = (name: string) => name[0]?.toUpperCase() + name.slice(1)
