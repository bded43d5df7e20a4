import type { Operation } from '@fairlead/core'
import { operations, projectCallers, refusalInProject, testProject } from '@fairlead/testing/workspace'
import {
  type GraphQLInputType,
  getNamedType,
  isCompositeType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isRequiredArgument,
  isRequiredInputField,
} from 'graphql'
import { testCore } from '@fairlead/testing'
import { describe, expect, test } from 'vitest'
import { buildSchema } from './schema/build-schema.ts'
import { serve } from './testing/serve.ts'

/** Every core has the same, and to build it takes longer than most tests. */
const schema = buildSchema((await testCore()).core)

/** A document with one field, and with values for the arguments that it requires. */
function createDocument(kind: 'query' | 'mutation', name: string): string {
  const type = kind === 'query' ? schema.getQueryType() : schema.getMutationType()
  const field = type?.getFields()[name]
  if (!field) throw new Error(`The schema has no ${kind} ${name}.`)
  const given = field.args.filter(isRequiredArgument).map((each) => `${each.name}: ${sampleLiteral(each.type)}`)
  const args = given.length > 0 ? `(${given.join(', ')})` : ''
  return `${kind} { ${name}${args} ${isCompositeType(getNamedType(field.type)) ? '{ __typename }' : ''} }`
}

const scalars: Readonly<Record<string, string>> = {
  Int: '1',
  Float: '1',
  Boolean: 'true',
  DateTime: '"2026-03-14T00:00:00Z"',
  JSON: '{}',
  JSONObject: '{}',
}

function sampleLiteral(type: GraphQLInputType): string {
  if (isNonNullType(type)) return sampleLiteral(type.ofType)
  if (isListType(type)) return `[${sampleLiteral(type.ofType)}]`
  if (isEnumType(type)) return type.getValues()[0]?.name ?? ''
  if (!isInputObjectType(type)) return scalars[type.name] ?? '"x"'
  const fields = Object.values(type.getFields()).filter((field) => isRequiredInputField(field) || type.isOneOf)
  const given = type.isOneOf ? fields.slice(0, 1) : fields
  return `{ ${given.map((field) => `${field.name}: ${sampleLiteral(field.type)}`).join(', ')} }`
}

describe('a field with the header X-Fairlead-Project', () => {
  type Row = readonly [name: string, kind: 'query' | 'mutation', operation: Operation]
  const fields = Object.values<Operation>(operations).flatMap((operation): Row[] => {
    const { graphql, access } = operation
    // Those without a credential depend on no role, and a subscription would not end.
    if (!graphql || 'anonymous' in access || 'subscription' in graphql) return []
    return ['query' in graphql ? [graphql.query, 'query', operation] : [graphql.mutation, 'mutation', operation]]
  })

  test.each(fields)('%s is allowed for those whom its role includes', async (name, kind, operation) => {
    const service = await serve()
    const { credentials, projectId } = await testProject(service)
    const query = createDocument(kind, name)
    const refusals: Record<string, string | undefined> = {}
    const expected: Record<string, string | undefined> = {}
    for (const caller of projectCallers) {
      const { token = '' } = credentials[caller] as { readonly token?: string }
      const headers = { authorization: `Bearer ${token}`, 'x-fairlead-project': projectId }
      const { json } = await service.ask(query, {}, { headers })
      const code = json.errors?.[0].extensions.code
      expected[caller] = refusalInProject(operation, caller)
      // Most allowed fields fail, because the records that they name do not exist.
      refusals[caller] = expected[caller] === undefined && code !== 'FORBIDDEN' ? undefined : code
    }
    expect(refusals).toEqual(expected)
  })

  test('every field rejects the keys and the members of a project without an active owner', async () => {
    const service = await serve()
    const { credentials, projectId, userIds } = await testProject(service)
    await service.fairlead.users.patch({ id: userIds.owner, status: 'suspended' })
    const accepted: string[] = []
    for (const [name, kind] of fields) {
      for (const caller of ['key', 'viewer', 'developer', 'admin', 'service admin'] as const) {
        const { token = '' } = credentials[caller] as { readonly token?: string }
        const headers = { authorization: `Bearer ${token}`, 'x-fairlead-project': projectId }
        const { json } = await service.ask(createDocument(kind, name), {}, { headers })
        const isRejected = json.errors?.[0].message === 'The project has no active owner.'
        if (!isRejected) accepted.push(`${caller}: ${name}`)
      }
    }
    expect(accepted).toEqual([])
  })

  test('a field with the header X-Fairlead-Project reads what belongs to the project, and the user who acts', async () => {
    const service = await serve()
    const { credentials, projectId, userIds } = await testProject(service)
    const { token = '' } = credentials.viewer as { readonly token?: string }
    const headers = { authorization: `Bearer ${token}`, 'x-fairlead-project': projectId }
    const query = `{
      me { id }
      apiKeys(first: 5) { nodes { name } }
      project(id: "${projectId}") { name role personal }
      projects(first: 5) { nodes { name } }
      projectMembers(projectId: "${projectId}", first: 5) { nodes { role } }
    }`
    const { json } = await service.ask(query, {}, { headers })
    expect(json).toMatchObject({
      data: {
        me: { id: userIds.viewer },
        apiKeys: { nodes: [{ name: 'key' }] },
        project: { name: 'Search', role: 'VIEWER', personal: false },
        projects: { nodes: [{ name: 'Personal' }, { name: 'Search' }] },
        projectMembers: { nodes: [{}, {}, {}, {}] },
      },
    })
  })
})
