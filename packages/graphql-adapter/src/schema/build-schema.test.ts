import type { Operation } from '@fairlead/core'
import { edges, operations, scopes } from '@fairlead/testing/workspace'
import { canStream, scopeName } from '@fairlead/core/adapter'
import { deletion } from '@fairlead/core/feature'
import {
  buildSchema as readSchema,
  findBreakingChanges,
  getNamedType,
  getNullableType,
  type GraphQLArgument,
  GraphQLList,
  type GraphQLInputType,
  type GraphQLOutputType,
  isEnumType,
  isInterfaceType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isObjectType,
  printSchema,
} from 'graphql'
import { readFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import { buildSchema } from './build-schema.ts'
import { capitalized, rootFieldName } from './type-names.ts'

const schema = buildSchema({ edges, operations: Object.values(operations), scopes })
const all = Object.values<Operation>(operations)

/** Operations without a root field, and why. */
const withoutField: Readonly<Record<string, string>> = {
  updateUser: 'patchUser has the mutation updateUser',
  updateShipment: 'patchShipment has the mutation updateShipment',
  signInWithIdentity: 'only the embedding program may vouch for an identity',
  endIdentitySessions: 'only the embedding program may vouch for an identity',
  countTokens: 'only the Anthropic surface and embedding programs have it',
  updateWebhook: 'patchWebhook has the mutation updateWebhook',
}

/** Breaking changes since `schema.promised.graphql`. Each release empties the list, and copies `schema.graphql` over the other. */
const recordedBreakingChanges: readonly string[] = [
  // Mutations return payloads, so that fields can be added to each result.
  ...['Deletion', 'Logout', 'SignedIn', 'TokenPair'].map((type) => `${type} was removed.`),
  'Mutation.analyze changed type from Analysis to AnalyzePayload.',
  'Mutation.createShipment changed type from Shipment to CreateShipmentPayload.',
  'Mutation.createUser changed type from User to CreateUserPayload.',
  'Mutation.deleteShipment changed type from Deletion to DeleteShipmentPayload.',
  'Mutation.deleteUser changed type from Deletion to DeleteUserPayload.',
  'Mutation.endSession changed type from Deletion to EndSessionPayload.',
  'Mutation.generate changed type from Generation to GeneratePayload.',
  'Mutation.generateImage changed type from Image to GenerateImagePayload.',
  'Mutation.login changed type from SignedIn to LoginPayload.',
  'Mutation.logout changed type from Logout to LogoutPayload.',
  'Mutation.refresh changed type from TokenPair to RefreshPayload.',
  'Mutation.signup changed type from SignedIn to SignupPayload.',
  'Mutation.updateApiKey changed type from ApiKey to UpdateApiKeyPayload.',
  'Mutation.updateShipment changed type from Shipment to UpdateShipmentPayload.',
  'Mutation.updateUser changed type from User to UpdateUserPayload.',
]

/** The differences of inputs: text or a list is two fields. */
const intendedInputs: Readonly<Record<string, readonly string[]>> = {
  generate: ['input.messages[].content is nullable'],
}

/** Where the output of an operation differs from its field on purpose. */
const intended: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(
    all
      .filter(({ output }) => output === deletion)
      .map(({ name }) => [name, ['output.id is missing', 'output.deleted is missing']]),
  ),
  recoverWebhook: ['output.id is missing'],
  generate: [
    'output.parts[] is AnswerPart',
    'output.model is nullable',
    'output.model is Model',
    'output.created is missing',
  ],
  generateImage: ['output.model is nullable', 'output.model is Model', 'output.created is missing'],
  embed: ['output.embeddings[] is not a list', 'output.model is nullable', 'output.model is Model'],
  models: ['output[].pricing is nullable', 'output[].pricing.known is missing'],
  model: ['output.pricing is nullable', 'output.pricing.known is missing'],
}

/** GraphQL's names of paging arguments. */
const renamed: Readonly<Record<string, string>> = { limit: 'first', cursor: 'after' }

function rootField({ graphql }: Operation) {
  if (!graphql) return undefined
  if ('query' in graphql) return schema.getQueryType()?.getFields()[graphql.query]
  if ('mutation' in graphql) return schema.getMutationType()?.getFields()[graphql.mutation]
  return schema.getSubscriptionType()?.getFields()[graphql.subscription]
}

describe('the schema', () => {
  test('the schema has no isTypeOf functions, which would slow down execution', () => {
    const types = Object.values(schema.getTypeMap()).filter(isObjectType)
    expect(types.filter(({ isTypeOf }) => isTypeOf)).toEqual([])
  })

  test.each(all.map((operation) => [operation.name, operation] as const))(
    'the schema has a root field for %s',
    (name, operation) => {
      expect(rootField(operation) !== undefined || withoutField[name] !== undefined).toBe(true)
    },
  )

  test('the schema has a field of Subscription for each subscription, and for each operation that streams', () => {
    const streamed = Object.keys(schema.getSubscriptionType()?.getFields() ?? {})
    const fields = all.flatMap((operation) => {
      if (operation.kind === 'subscription') return [rootFieldName(operation)]
      return canStream(operation) ? [`${operation.name}Stream`] : []
    })
    expect(streamed.toSorted()).toEqual(fields.toSorted())
  })

  test('the schema resolves the ids of records synchronously', () => {
    for (const type of ['ApiKey', 'Shipment', 'User'].map((name) => schema.getType(name))) {
      const { id, createdAt } = isObjectType(type) ? type.getFields() : {}
      expect([type?.name, id?.resolve, createdAt?.resolve]).toEqual([type?.name, undefined, undefined])
    }
  })

  test('the schema has no root fields without an operation', () => {
    const others = ['me', 'node', 'nodes']
    const fields = { ...schema.getQueryType()?.getFields(), ...schema.getMutationType()?.getFields() }
    const declared = all.flatMap(({ graphql }) => (graphql ? Object.values(graphql) : []))
    expect(Object.keys(fields).filter((name) => !others.includes(name) && !declared.includes(name))).toEqual([])
  })

  test.each(all.map((operation) => [operation.name, operation] as const))(
    'the schema matches the input and output of %s',
    (_, operation) => {
      const field = rootField(operation)
      if (!field) return
      const args = Object.fromEntries(field.args.map(({ name, type }) => [name, type]))
      const input = toJson(operation.input, 'input')
      const wrong = args['input']
        ? differences(input, getNullableType(args['input']), 'input')
        : fieldDifferences(withRelayNames(input), args, 'input')
      expect(wrong).toEqual(intendedInputs[operation.name] ?? [])
      const output = toJson(operation.output, 'output')
      // Payloads have separate tests.
      if (operation.graphql && 'payload' in operation.graphql) return
      const different = differences(output, withoutPayload(operation, withoutConnection(field.type)), 'output')
      expect(different).toEqual(intended[operation.name] ?? [])
    },
  )

  test('the schema has a payload type for each mutation, which takes its input as one object', () => {
    const mutations = Object.values(schema.getMutationType()?.getFields() ?? {})
    const types = mutations.map(({ type }) => String(type))
    expect(types).toEqual(mutations.map(({ name }) => `${capitalized(name)}Payload`))
    const args = new Set(mutations.flatMap((field) => field.args.map(({ name }) => name)))
    expect(args).toEqual(new Set(['input', 'idempotencyKey', 'ifVersion']))
  })

  test('the schema has no payload with an id, for which caches of clients would take it for the record', () => {
    const mutations = Object.values(schema.getMutationType()?.getFields() ?? {})
    const withId = mutations.filter(({ type }) => isObjectType(type) && type.getFields()['id'])
    expect(withId.map(({ name }) => name)).toEqual([])
  })

  test('the schema describes every root field, and every field that core describes', () => {
    const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()]
    const silent = roots.flatMap((root) => Object.values(root?.getFields() ?? {})).filter((field) => !field.description)
    expect(silent.map(({ name }) => name)).toEqual([])
    const type = schema.getType('Model')
    expect(isObjectType(type) && type.getFields()['maxTokens']?.description).toBe(
      operations.model.output.shape.maxTokens.description,
    )
  })

  test('the schema describes every type, field, argument and enum value', () => {
    const silent = Object.values(schema.getTypeMap())
      .filter(({ name }) => !name.startsWith('__'))
      .flatMap((type) => [
        [type.name, type.description] as const,
        ...(isObjectType(type) || isInputObjectType(type) || isInterfaceType(type)
          ? Object.values(type.getFields()).flatMap((field) => [
              [`${type.name}.${field.name}`, field.description] as const,
              ...readArguments(field).map(
                ({ name, description }) => [`${type.name}.${field.name}(${name}:)`, description] as const,
              ),
            ])
          : []),
        ...(isEnumType(type)
          ? type.getValues().map(({ name, description }) => [`${type.name}.${name}`, description] as const)
          : []),
      ])
      .flatMap(([name, description]) => (description ? [] : [name]))
    expect(silent, 'lack a description; add it with namedObject, namedEnum, or describe').toEqual([])
  })

  test('the schema matches schema.graphql', async () => {
    await expect(`${printSchema(schema)}\n`, 'out of date; npm run generate writes it').toMatchFileSnapshot(
      'schema.graphql',
    )
  })

  test('the schema has no unrecorded breaking changes', async () => {
    const promised = readSchema(await readFile(new URL('schema.promised.graphql', import.meta.url), 'utf8'))
    const breaking = findBreakingChanges(promised, schema).map(({ description }) => description.replace('Field ', ''))
    expect(breaking.toSorted()).toEqual(recordedBreakingChanges.toSorted())
  })
})

function readArguments(field: object): readonly GraphQLArgument[] {
  return 'args' in field ? (field.args as readonly GraphQLArgument[]) : []
}

interface Json {
  readonly type?: string | readonly string[]
  readonly format?: string
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly items?: Json
  readonly anyOf?: readonly Json[]
  readonly properties?: Readonly<Record<string, Json>>
  readonly required?: readonly string[]
  readonly $ref?: string
  readonly $defs?: Readonly<Record<string, Json>>
}

type AnyType = GraphQLInputType | GraphQLOutputType

function toJson(schemaOfCore: z.ZodType, io: 'input' | 'output'): Json {
  return z.toJSONSchema(schemaOfCore, {
    io,
    reused: 'inline',
    unrepresentable: 'any',
    override({ zodSchema, jsonSchema }) {
      if (zodSchema === scopeName) jsonSchema.enum = Object.keys(scopes)
    },
  }) as unknown as Json
}

function withoutConnection(type: GraphQLOutputType): AnyType {
  const named = getNamedType(type)
  const field = isObjectType(named) ? named.getFields()['edges'] : undefined
  const edge = field && getNamedType(field.type)
  const node = edge && isObjectType(edge) ? edge.getFields()['node'] : undefined
  if (!node) return getNullableType(type)
  return new GraphQLList(node.type)
}

/** The type of a mutation's result: its payload, or the record in it. */
function withoutPayload({ graphql }: Operation, type: AnyType): AnyType {
  if (!graphql || !('mutation' in graphql) || !isObjectType(type)) return type
  const [field, ...others] = Object.values(type.getFields())
  const only = field && others.length === 0 ? getNullableType(field.type) : undefined
  return isObjectType(only) ? only : type
}

/** Where a GraphQL type differs from core's JSON Schema. Additional fields of GraphQL are ignored. */
function differences(json: Json, type: AnyType, at: string, defs = json.$defs ?? {}): readonly string[] {
  const target = json.$ref ? defs[json.$ref.slice('#/$defs/'.length)] : undefined
  if (target) return differences(target, type, at, defs)
  const nullable = json.anyOf?.find((option) => option.type !== 'null')
  if (nullable) return differences(nullable, type, at, defs)
  if (json.type === 'array') {
    return isListType(type) && isNonNullType(type.ofType)
      ? differences(json.items ?? {}, getNullableType(type.ofType) as AnyType, `${at}[]`, defs)
      : [`${at} is not a list`]
  }
  if (json.properties) {
    if (!isObjectType(type) && !isInputObjectType(type)) return [`${at} is not an object`]
    const types = Object.fromEntries(Object.values(type.getFields()).map((field) => [field.name, field.type]))
    return fieldDifferences(json, types, at, defs)
  }
  return scalarDifference(json, type, at)
}

/** Renames the paging fields. */
function withRelayNames({ properties = {}, ...json }: Json): Json {
  const entries = Object.entries(properties).map(([name, property]) => [renamed[name] ?? name, property])
  return { ...json, properties: Object.fromEntries(entries) }
}

function isNullable({ type, anyOf = [] }: Json): boolean {
  return (Array.isArray(type) && type.includes('null')) || anyOf.some((option) => option.type === 'null')
}

function fieldDifferences(
  json: Json,
  types: Readonly<Record<string, AnyType>>,
  at: string,
  defs = json.$defs ?? {},
): readonly string[] {
  return Object.entries(json.properties ?? {}).flatMap(([name, property]) => {
    const type = types[name]
    if (!type) return [`${at}.${name} is missing`]
    const needed = json.required?.includes(name) === true && !isNullable(property)
    const wrong = needed !== isNonNullType(type) ? [`${at}.${name} is ${needed ? 'nullable' : 'required'}`] : []
    return [...wrong, ...differences(property, getNullableType(type), `${at}.${name}`, defs)]
  })
}

function scalarDifference({ type: kinds, format, enum: values, const: only }: Json, type: AnyType, at: string) {
  const kind = [kinds].flat().find((name) => name !== 'null')
  if (isEnumType(type)) {
    const own = type.getValues().map(({ value }) => value)
    const expected = values ?? [only]
    return expected.every((value) => own.includes(value)) && (!values || own.length === values.length)
      ? []
      : [`${at} has other values`]
  }
  const allowed = at.endsWith('.id') ? ['ID'] : (names[format === 'date-time' ? 'date-time' : (kind ?? '')] ?? [])
  return allowed.includes(String(type)) ? [] : [`${at} is ${String(type)}`]
}

const names: Readonly<Record<string, readonly string[]>> = {
  string: ['String'],
  'date-time': ['DateTime'],
  boolean: ['Boolean'],
  integer: ['Int', 'SafeInt'],
  number: ['Float'],
  object: ['JSONObject', 'StringMap'],
}
