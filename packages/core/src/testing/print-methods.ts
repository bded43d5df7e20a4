import * as z from 'zod'
import { type Feature, isOperation, collectOperations } from '../runtime/feature.ts'
import { canStream, type Operation } from '../runtime/operation.ts'
import { pageInput } from '../runtime/schema/paging.ts'
import { type Fields, type PrintedType, type PrintedTypes, printTypes } from './print-types.ts'
import { typeNames } from '../runtime/schema/field-schemas.ts'

type Schema = z.core.JSONSchema.JSONSchema

/** A generated file with the types of the methods of some features. */
export interface MethodsFile {
  readonly features: readonly Feature[]
  /** Where the features of other packages import these types from. */
  readonly specifier: string
  /** Where it imports the generic types of methods from. */
  readonly core: string
  /** Types that have a declaration already, by where it is. The file exports them, too. Default: none. */
  readonly declared?: Readonly<Record<string, readonly string[]>>
}

/** Types whose names mean another thing in the contract of providers. Other APIs call them by their key. */
const listed: Readonly<Record<string, string>> = { Model: 'ListedModel', Provider: 'ListedProvider' }

/**
 * The TypeScript types of the methods of features, by the specifier of their file, with the descriptions of the schemas as
 * TSDoc. A file imports the types that one before it has too.
 */
export function printMethods(files: readonly MethodsFile[]): ReadonlyMap<string, string> {
  const earlier = new Map<string, { readonly specifier: string; readonly text: string }>()
  return new Map(files.map((file) => [file.specifier, printFile(file, earlier)]))
}

function printFile(
  { features, specifier, core, declared = {} }: MethodsFile,
  earlier: Map<string, { readonly specifier: string; readonly text: string }>,
): string {
  const types: PrintedTypes = new Map()
  for (const operation of collectOperations(features)) addTypes(types, operation)
  const imports = new Map<string, string[]>()
  const own: string[] = []
  const elsewhere = Object.values(declared).flat()
  for (const [from, names] of Object.entries(declared)) imports.set(from, [...names])
  for (const [name, text] of printTypes(types)) {
    if (elsewhere.includes(name)) continue
    const same = earlier.get(name)
    if (same?.text === text) imports.set(same.specifier, [...(imports.get(same.specifier) ?? []), name])
    else own.push(text)
    if (!same) earlier.set(name, { specifier, text })
  }
  const interfaces = features.map(printInterface).join('\n\n')
  const used = ['Method', 'StreamingMethod', 'SubscriptionMethod'].filter((type) =>
    new RegExp(`[: ]${type}<`).test(interfaces),
  )
  imports.set(core, used)
  return [
    '// Generated from the operations: npm run generate',
    ...[...imports].map(([from, names]) => `import type { ${names.toSorted().join(', ')} } from '${from}'`),
    ...(elsewhere.length > 0 ? [`export type { ${elsewhere.toSorted().join(', ')} }`] : []),
    '',
    interfaces,
    '',
    own.join('\n\n'),
    '',
  ].join('\n')
}

function printInterface({ name, operations }: Feature): string {
  const methods = Object.entries(operations).map(([noun, entry]) =>
    isOperation(entry)
      ? printMethod(noun, entry)
      : `readonly ${noun}: {\n${Object.entries(entry)
          .map(([verb, operation]) => printMethod(verb, operation))
          .join('\n')}\n}`,
  )
  return `export interface ${pascal(name)}Methods {\n${methods.join('\n')}\n}`
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
  const { $ref, items } = toSchema(operation.output)
  const list = typeof items === 'object' && !Array.isArray(items) && items.$ref
  const data = $ref ? nameIn($ref) : list ? `${nameIn(list)}[]` : `${name}Result`
  const chunk = canStream(operation) ? `${name}Chunk` : undefined
  return { input: `${name}Input`, data, chunk }
}

function addTypes(types: PrintedTypes, operation: Operation): void {
  const { input, data, chunk } = namesOf(operation)
  const declared = toSchema(operation.input, 'input', types)
  const renamed = addDefinitions(types, declared, 'input')
  if (operation.paged) types.set('PageInput', pageType())
  types.set(input, printType(declared, 'input', renamed))
  const output = toSchema(operation.output, 'output', types)
  addDefinitions(types, output, 'output')
  if (data.endsWith('Result')) types.set(data, printType(output, 'output', {}))
  if (chunk === undefined || operation.kind !== 'action' || !operation.stream) return
  const streamed = toSchema(operation.stream.chunk, 'output', types)
  addDefinitions(types, streamed, 'output')
  types.set(chunk, streamed.$ref ? { head: '', alias: nameIn(streamed.$ref) } : printType(streamed, 'output', {}))
}

function pageType(): PrintedType {
  const description = 'The input fields of every list, besides its filters.'
  return printType({ ...toSchema(z.object(pageInput), 'input'), description }, 'input', {})
}

/** Longer lists of values get a name. */
const maxValues = 5

/** The JSON schema. Adds the types of long enums, whose `title` is their name. */
function toSchema(schema: z.ZodType, io: 'input' | 'output' = 'output', types: PrintedTypes = new Map()): Schema {
  return z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override({ zodSchema, jsonSchema }) {
      const { name, description } = typeNames.get(zodSchema) ?? {}
      if (name === undefined || (jsonSchema.enum?.length ?? 0) <= maxValues) return
      types.set(name, { head: comment(description), alias: printValues(jsonSchema.enum) })
      jsonSchema.title = name
    },
  })
}

/** A definition of one name may differ between input and output; the input's is then renamed. */
export function addDefinitions(
  types: PrintedTypes,
  { $defs = {} }: Schema,
  io: 'input' | 'output',
): Record<string, string> {
  const renamed: Record<string, string> = {}
  for (const name of Object.keys($defs)) if (io === 'input') renamed[name] = `${name}Input`
  for (const [name, definition] of Object.entries($defs)) {
    const own = renamed[name] ?? typeName(name)
    types.set(own, printType(definition, io, renamed))
  }
  return renamed
}

type Names = Readonly<Record<string, string>>

function printType(schema: Schema, io: 'input' | 'output', renamed: Names): PrintedType {
  const head = comment(schema.description)
  if (schema.properties && Object.keys(schema.properties).length === 0) return { head, alias: 'Record<string, never>' }
  if (schema.type !== 'object' || !schema.properties) return { head, alias: print(schema, io, renamed) }
  const fields = printFields(schema, io, renamed)
  const mutable = printFields(schema, 'output', renamed)
  const isReadonly = io === 'input' && ![...mutable.values()].some((text) => text.includes('[]'))
  return { head, fields, mutable: isReadonly ? mutable : undefined }
}

function printFields({ properties = {}, required = [] }: Schema, io: 'input' | 'output', renamed: Names): Fields {
  const fields = Object.entries(properties).map(([name, field]): [string, string] => {
    const schema = field as Schema
    const isOptional = !required.includes(name)
    const type = print(schema, io, renamed)
    // The type of a constant says it too.
    const text = schema.description?.startsWith('Always ') ? '' : schema.description
    const note = 'default' in schema ? `Default: \`${JSON.stringify(schema.default)}\`.` : ''
    return [
      name,
      `${comment([text, note].filter(Boolean).join(' '))}${io === 'input' ? 'readonly ' : ''}${name}${isOptional ? '?' : ''}: ${type}${isOptional ? ' | undefined' : ''}`,
    ]
  })
  return new Map(fields)
}

function print(schema: Schema, io: 'input' | 'output', renamed: Names): string {
  if (schema.$ref) return renamed[nameIn(schema.$ref)] ?? nameIn(schema.$ref)
  if (schema.const !== undefined) return printValues([schema.const])
  if (schema.enum && schema.title !== undefined) return schema.title
  if (schema.enum) return printValues(schema.enum)
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
      if (schema.properties) return `{\n${[...printFields(schema, io, renamed).values()].join('\n')}\n}`
      return `${io === 'input' ? 'Readonly<' : ''}Record<string, ${print((schema.additionalProperties || {}) as Schema, io, renamed)}>${io === 'input' ? '>' : ''}`
    default:
      return schema.type ?? 'unknown'
  }
}

function printValues(values: readonly unknown[] = []): string {
  return values.map((value) => JSON.stringify(value).replaceAll('"', "'")).join(' | ')
}

/** A TSDoc comment; empty without a text. */
export function comment(text: string | undefined): string {
  return text ? `/** ${text.replaceAll('*/', '*\\/')} */\n` : ''
}

const typeName = (name: string) => listed[name] ?? name
const nameIn = ($ref: string) => typeName($ref.slice($ref.lastIndexOf('/') + 1))
const pascal = (name: string) => name[0]?.toUpperCase() + name.slice(1)
