import {
  GraphQLBoolean,
  GraphQLEnumType,
  GraphQLError,
  type GraphQLFieldConfigMap,
  GraphQLFloat,
  GraphQLID,
  GraphQLInt,
  GraphQLInterfaceType,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLResolveInfo,
  GraphQLSchema,
  GraphQLString,
  GraphQLUnionType,
  isEnumType,
  isListType,
  isNonNullType,
} from 'graphql'

/** What stands behind an object: all that its fields do follows from it. */
interface Source {
  readonly [field: string]: unknown
  readonly seed: number
}

/** What a document is executed with. */
export interface Whims {
  readonly seed: number
  /** Which root fields were begun, in this order. */
  readonly begun: string[]
}

const color = new GraphQLEnumType({ name: 'Color', values: { RED: { value: 'red' }, BLUE: { value: 'blue' } } })

const being: GraphQLInterfaceType = new GraphQLInterfaceType({
  name: 'Being',
  fields: () => ({ id: { type: GraphQLID }, name: { type: GraphQLString }, friend: { type: being } }),
  resolveType: ({ seed }: Source) => soon(seed, kindOf(seed)) as string,
})
const cat: GraphQLObjectType = beingType('Cat', () => ({ lives: { type: new GraphQLNonNull(GraphQLInt) } }))
const dog: GraphQLObjectType = beingType('Dog', () => ({ barks: { type: GraphQLBoolean } }))
// Its types are found by the name that an object tells.
const pet: GraphQLUnionType = new GraphQLUnionType({ name: 'Pet', types: [cat, dog] })

const thing: GraphQLObjectType = new GraphQLObjectType({
  name: 'Thing',
  fields: () => ({
    ...erratic('own', {
      id: new GraphQLNonNull(GraphQLID),
      name: GraphQLString,
      count: new GraphQLNonNull(GraphQLInt),
      color,
      self: thing,
      must: new GraphQLNonNull(thing),
      things: new GraphQLList(thing),
      grid: new GraphQLList(new GraphQLNonNull(new GraphQLList(GraphQLFloat))),
      pet,
    }),
    ...erratic('resolved', {
      size: GraphQLInt,
      next: thing,
      friend: being,
      musts: new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(thing))),
      pets: new GraphQLList(new GraphQLNonNull(pet)),
    }),
    echo: {
      type: new GraphQLNonNull(GraphQLString),
      args: { text: { type: GraphQLString, defaultValue: 'quiet' }, times: { type: new GraphQLNonNull(GraphQLInt) } },
      resolve: (_source, { text, times }: { readonly text: string | null; readonly times: number }) =>
        times < 0 ? null : `${text} ${times}`,
    },
  }),
})

function beingType(name: string, fields: () => GraphQLFieldConfigMap<unknown, unknown>): GraphQLObjectType {
  return new GraphQLObjectType({
    name,
    interfaces: [being],
    fields: () => ({
      ...erratic('own', { id: GraphQLID, name: GraphQLString }),
      ...erratic('resolved', { friend: being, thing }),
      ...fields(),
    }),
  })
}

/** A schema whose fields do all that fields may: well or badly, at once or later. The same seed, the same behaviour. */
export const erraticSchema = new GraphQLSchema({
  query: rootType('Query'),
  mutation: rootType('Mutation'),
  subscription: rootType('Subscription'),
  types: [cat, dog],
})

function rootType(name: string): GraphQLObjectType {
  return new GraphQLObjectType({
    name,
    fields: erratic('resolved', {
      thing,
      things: new GraphQLList(thing),
      must: new GraphQLNonNull(thing),
      being,
      pet,
      count: GraphQLInt,
    }),
  })
}

type Types = Readonly<Record<string, GraphQLOutputType>>

function erratic(how: 'own' | 'resolved', types: Types): GraphQLFieldConfigMap<Source | undefined, Whims> {
  const configs = Object.entries(types).map(([name, type]) => [
    name,
    how === 'own' ? { type } : { type, resolve: resolver(type) },
  ])
  return Object.fromEntries(configs)
}

function resolver(type: GraphQLOutputType) {
  return (
    source: Source | undefined,
    _args: unknown,
    { seed, begun }: Whims,
    { path }: GraphQLResolveInfo,
  ): unknown => {
    const own = mixed(source?.seed ?? seed, `${path.key}`)
    if (!source) begun.push(`${path.key}`)
    return outcome(type, own)
  }
}

/** One time in four something goes wrong; every other time it takes a while. */
function outcome(type: GraphQLOutputType, seed: number): unknown {
  const many: (() => unknown)[] = [
    () => null,
    () => undefined,
    () => new Error(`returned ${seed}`),
    () => Symbol.iterator,
    () => ({ odd: true }),
    () => {
      throw new Error(`thrown ${seed}`)
    },
    () => {
      throw new GraphQLError(`told ${seed}`, { extensions: { code: 'TOLD' } })
    },
    () => Promise.reject(new Error(`rejected ${seed}`)),
    // oxlint-disable-next-line prefer-promise-reject-errors -- that may happen, too
    () => Promise.reject('rejected without an error'),
  ]
  const make = seed % 4 === 0 ? many[mixed(seed, 'fault') % many.length] : undefined
  return soon(mixed(seed, 'when'), make ?? (() => valueOf(type, seed)))
}

/** At once, or some turns later. */
function soon(seed: number, value: unknown): unknown {
  const get = () => (typeof value === 'function' ? (value as () => unknown)() : value)
  return seed % 2 === 0 ? get() : afterTurns(seed % 7, get)
}

async function afterTurns(turns: number, get: () => unknown): Promise<unknown> {
  for (let turn = 0; turn < turns; turn++) await undefined
  return get()
}

function valueOf(type: GraphQLOutputType, seed: number): unknown {
  if (isNonNullType(type)) return valueOf(type.ofType, seed)
  if (isListType(type)) {
    const entries = Array.from({ length: seed % 4 }, (_, index) => entry(type.ofType, mixed(seed, `${index}`)))
    return seed % 5 === 0 ? new Set(entries) : entries
  }
  if (isEnumType(type)) return seed % 3 === 0 ? 'red' : 'blue'
  if (type === GraphQLInt) return seed
  if (type === GraphQLFloat) return seed / 8
  if (type === GraphQLBoolean) return seed % 3 === 0
  if (type === GraphQLString || type === GraphQLID) return `"${seed}"`
  return sourceOf(seed)
}

/** An entry can't throw, it can only be rejected; also where nobody looks at the list any more. */
function entry(type: GraphQLOutputType, seed: number): unknown {
  let value: unknown
  try {
    value = outcome(type, seed)
  } catch (error) {
    value = Promise.reject(error as Error)
  }
  if (value instanceof Promise) value.catch(() => undefined)
  return value
}

/** An object that is anything: a thing, a cat, a dog. Properties that may go wrong do so when they are asked for. */
function sourceOf(seed: number): Source {
  const properties = Object.entries(thing.getFields()).map(([name, { type }]) => {
    const own = mixed(seed, name)
    const isPlain = (type === GraphQLString || type === color) && own % 2 === 0
    return [name, isPlain ? valueOf(type, own) : () => outcome(type, own)]
  })
  return {
    ...Object.fromEntries(properties),
    lives: seed % 9,
    barks: seed % 3 === 0,
    __typename: kindOf(seed),
    seed,
  } as Source
}

function kindOf(seed: number): string {
  return seed % 3 === 0 ? 'Cat' : 'Dog'
}

/** FNV-1a. */
function mixed(seed: number, text: string): number {
  let hash = 0x81_1c_9d_c5 ^ seed
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01_00_01_93)
  return ((hash ^ (hash >>> 15)) >>> 0) & 0x7f_ff_ff_ff
}
