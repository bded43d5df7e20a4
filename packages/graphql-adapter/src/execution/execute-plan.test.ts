import { assert, asyncProperty, constantFrom, gen, nat, pre } from 'fast-check'
import {
  type ExecutionResult,
  GraphQLInt,
  GraphQLNonNull,
  GraphQLObjectType,
  type GraphQLResolveInfo,
  GraphQLSchema,
  GraphQLUnionType,
  OperationTypeNode,
  OverlappingFieldsCanBeMergedRule,
  parse,
  validate,
} from 'graphql'
import { describe, expect, test, vi } from 'vitest'
import { anyDocument } from '../testing/any-document.ts'
import { byGraphqlJs, byPlan, type Run } from '../testing/both-ways.ts'
import { erraticSchema, type Whims } from '../testing/erratic-schema.ts'
import { serve } from '../testing/serve.ts'
import { type OperationPlan, operationPlanner } from './plan-operation.ts'

describe('an operation that is executed from a plan', () => {
  test.each([OperationTypeNode.QUERY, OperationTypeNode.MUTATION, OperationTypeNode.SUBSCRIPTION])(
    'answers any %s as graphql-js does, whatever its fields do',
    async (kind) => {
      const property = asyncProperty(gen(), nat(), constantFrom(0, 10, 1_000), async (g, seed, mostKept) => {
        const document = parse(anyDocument(g, erraticSchema, kind))
        pre(validate(erraticSchema, document, [OverlappingFieldsCanBeMergedRule]).length === 0)
        const common = { schema: erraticSchema, document, variables: { text: 'soft', times: 4 }, mostKept }
        const [expected, actual] = [whims(seed), whims(seed)]
        const reference = await byGraphqlJs({ ...common, context: expected })
        const answer = await byPlan({ ...common, context: actual })
        expect(JSON.stringify(answer)).toBe(JSON.stringify(reference))
        expect(causes(answer)).toEqual(causes(reference))
        expect(actual.begun).toEqual(expected.begun)
      })
      await assert(property, { numRuns: 400 })
    },
  )

  test('looks at a field’s arguments, though nobody reads them', async () => {
    const field = { type: GraphQLInt, args: { at: { type: new GraphQLNonNull(GraphQLInt), defaultValue: 1 } } }
    const object = new GraphQLObjectType({ name: 'Some', fields: { field } })
    const some = { type: object, resolve: () => ({ field: 1 }) }
    const schema = new GraphQLSchema({ query: new GraphQLObjectType({ name: 'Query', fields: { some } }) })
    const document = parse('query ($at: Int = 1) { some { field(at: $at) } }')
    const run: Run = { schema, document, context: {}, variables: { at: null } }
    expect(await byPlan(run)).toEqual(await byGraphqlJs(run))
  })

  test('runs mutations one after the other', async () => {
    const log: string[] = []
    const step = {
      type: GraphQLInt,
      async resolve(_source: unknown, _args: unknown, _context: unknown, { path }: GraphQLResolveInfo) {
        log.push(`begin ${path.key}`)
        await undefined
        log.push(`end ${path.key}`)
      },
    }
    const mutation = new GraphQLObjectType({ name: 'Mutation', fields: { step } })
    const schema = new GraphQLSchema({ mutation })
    await byPlan({ schema, document: parse('mutation { a: step b: step }'), context: {} })
    expect(log).toEqual(['begin a', 'end a', 'begin b', 'end b'])
  })

  test('tells its resolvers when its answer is given', async () => {
    let signal: AbortSignal | undefined
    const field = {
      type: GraphQLInt,
      resolve: (_source: unknown, _args: unknown, _context: unknown, info: GraphQLResolveInfo) => {
        signal = info.getAbortSignal()
        return signal?.aborted ? 1 : 0
      },
    }
    const query = new GraphQLObjectType({ name: 'Query', fields: { field } })
    const { data } = await byPlan({ schema: new GraphQLSchema({ query }), document: parse('{ field }'), context: {} })
    expect([data, signal?.aborted]).toEqual([{ field: 0 }, true])
  })

  test('begins nothing any more once its answer is given', async () => {
    const begun: string[] = []
    const late = Promise.withResolvers<object>()
    const lateName = Promise.withResolvers<string>()
    const fields = { inner: { type: GraphQLInt, resolve: () => void begun.push('inner') } }
    const object = new GraphQLObjectType({ name: 'Some', fields })
    const union = new GraphQLUnionType({ name: 'Any', types: [object], resolveType: () => lateName.promise })
    const query = new GraphQLObjectType({
      name: 'Query',
      fields: {
        object: { type: object, resolve: () => late.promise },
        union: { type: union, resolve: () => ({}) },
        failing: { type: new GraphQLNonNull(GraphQLInt), resolve: () => Promise.reject(new Error('no')) },
      },
    })
    const document = parse('{ object { inner } union { ... on Some { inner } } failing }')
    expect((await byPlan({ schema: new GraphQLSchema({ query }), document, context: {} })).data).toBeNull()
    late.resolve({})
    lateName.resolve('Some')
    await new Promise(setImmediate)
    expect(begun).toEqual([])
  })

  test.each(['Query', 'Nothing', 'Color'])(
    'shows no object as a %s where that is none of the possible types',
    async (name) => {
      const document = parse('{ pet { __typename } }')
      const pet = { type: erraticSchema.getType('Pet') as GraphQLUnionType, resolve: () => ({ __typename: name }) }
      const schema = new GraphQLSchema({ query: new GraphQLObjectType({ name: 'Query', fields: { pet } }) })
      const { data, errors } = await byPlan({ schema, document, context: {} })
      expect([data, errors?.map(({ path }) => path)]).toEqual([{ pet: null }, [['pet']]])
    },
  )

  test('plans the fields of a fragment once, wherever it is spread', async () => {
    const object = new GraphQLObjectType({ name: 'Some', fields: { inner: { type: GraphQLInt } } })
    const some = { type: object, resolve: () => ({ inner: 1 }) }
    const query = new GraphQLObjectType({ name: 'Query', fields: { a: some, b: some } })
    const schema = new GraphQLSchema({ query })
    const planned = vi.spyOn(schema, 'getField')
    const document = parse('{ a { ...f } b { ...f } } fragment f on Some { inner }')
    expect((await byPlan({ schema, document, context: {} })).data).toEqual({ a: { inner: 1 }, b: { inner: 1 } })
    expect(planned.mock.calls.map(([, name]) => name)).toEqual(['a', 'b', 'inner'])
  })

  test('shares what it plans with the other operations of its document', () => {
    const document = parse('query a { ...f } query b { ...f } fragment f on Query { count }')
    const operations = document.definitions.filter((node) => node.kind === 'OperationDefinition')
    const [a, b] = operations.map(operationPlanner(erraticSchema, document, 10))
    expect(a?.rootSelection()[0]).toBe(b?.rootSelection()[0])
  })

  test('keeps no more of the plan than it may, so that fragments in fragments make a document no larger', () => {
    const [kept, notKept] = [planOf('{ count }', 1), planOf('{ count }', 0)]
    expect(kept?.rootSelection()).toBe(kept?.rootSelection())
    expect(notKept?.rootSelection()).not.toBe(notKept?.rootSelection())
  })
})

describe('graphql-js executes', () => {
  test.each([
    ['what is left out under a condition', '{ count @skip(if: true) }'],
    ['what is left out with its fragment', '{ ...a @include(if: false) } fragment a on Query { count }'],
    ['a name that is no property', '{ __proto__: count }'],
  ])('%s', (_what, text) => {
    expect(planOf(text)).toBeUndefined()
  })

  test('those with the same answers', async () => {
    const { ask } = await serve()
    const query = 'query ($no: Boolean!) { __proto__: __typename models { id @skip(if: $no) name @include(if: $no) } }'
    expect((await ask(query, { no: true })).text).toContain('{"__proto__":"Query","models":[{"name":')
    expect((await ask(query, { no: false })).text).toContain('{"__proto__":"Query","models":[{"id":')
  })
})

function whims(seed: number): Whims {
  return { seed, begun: [] }
}

function planOf(text: string, mostKept = 1_000): OperationPlan | undefined {
  const document = parse(text)
  const [node] = document.definitions
  return node?.kind === 'OperationDefinition' ? operationPlanner(erraticSchema, document, mostKept)(node) : undefined
}

/** What is behind the errors, which callers don't see. */
function causes({ errors = [] }: ExecutionResult): unknown {
  return errors.map(({ originalError, nodes }) => [originalError, nodes])
}
