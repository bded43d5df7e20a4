import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLSchema,
  type GraphQLType,
  buildSchema,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isIntrospectionType,
  isObjectType,
  isScalarType,
  isSpecifiedScalarType,
  isUnionType,
  print,
} from 'graphql'
import { toAnchor } from './anchor.ts'
import { joined, table } from './markdown.ts'

/** Writes pages for the queries, mutations, subscriptions and types of a schema, and an index. */
export function writeGraphqlReference(schemaFile: string, folder: string): void {
  const reference = new GraphqlReference(buildSchema(readFileSync(schemaFile, 'utf8')))
  mkdirSync(folder, { recursive: true })
  for (const [name, page] of reference.pages()) writeFileSync(join(folder, `${name}.md`), page)
}

/** The type of all queries, mutations, or subscriptions. */
interface Root {
  readonly title: string
  readonly type: GraphQLObjectType
}

class GraphqlReference {
  readonly #schema: GraphQLSchema
  constructor(schema: GraphQLSchema) {
    this.#schema = schema
  }

  *pages(): Generator<readonly [name: string, page: string]> {
    const roots = this.#roots()
    yield ['index', this.#index(roots)]
    for (const { title, type } of roots) {
      const fields = Object.values(type.getFields()).map((field) => this.#rootField(field))
      yield [toAnchor(title), joined([`# ${title}`, ...fields])]
    }
    const types = Object.values(this.#schema.getTypeMap())
      .filter((type) => !isIntrospectionType(type) && !isSpecifiedScalarType(type))
      .filter((type) => !roots.some((root) => root.type === type))
    const isInput = (type: GraphQLNamedType) => isInputObjectType(type)
    const isPlain = (type: GraphQLNamedType) => isEnumType(type) || isScalarType(type)
    yield [
      'types',
      this.#typePage(
        'Types',
        types.filter((type) => !isInput(type) && !isPlain(type)),
      ),
    ]
    yield ['inputs', this.#typePage('Inputs', types.filter(isInput))]
    yield ['enums-and-scalars', this.#typePage('Enums and scalars', types.filter(isPlain))]
  }

  #roots(): readonly Root[] {
    return [
      { title: 'Queries', type: this.#schema.getQueryType() },
      { title: 'Mutations', type: this.#schema.getMutationType() },
      { title: 'Subscriptions', type: this.#schema.getSubscriptionType() },
    ].flatMap(({ title, type }) => (type ? [{ title, type }] : []))
  }

  #index(roots: readonly Root[]): string {
    const sections = roots.map(({ title, type }) => {
      const rows = Object.values(type.getFields()).map(({ name, description }) => [
        `[\`${name}\`](${toAnchor(title)}.md#${toAnchor(name)})`,
        description ?? '',
      ])
      return `## ${title}\n\n${table(['Field', 'Effect'], rows)}`
    })
    const start =
      'The schema of `/graphql`. [GraphQL](../../graphql.md) shows how to call it. `!` marks what is never null.'
    return joined(['# GraphQL API', start, ...sections])
  }

  #rootField({ name, description, args, type }: GraphQLField<unknown, unknown>): string {
    return joined([
      `## ${name}`,
      description ?? '',
      args.length > 0 ? table(['Argument', 'Type', 'Description'], args.map(rowOf)) : '',
      `Returns ${linked(type)}.`,
    ])
  }

  #typePage(title: string, types: readonly GraphQLNamedType[]): string {
    return joined([`# ${title}`, ...types.map((type) => this.#type(type))])
  }

  #type(type: GraphQLNamedType): string {
    return joined([`## ${type.name}`, type.description ?? '', ...this.#membersOf(type)])
  }

  #membersOf(type: GraphQLNamedType): readonly string[] {
    if (isEnumType(type))
      return [
        table(
          ['Value', 'Meaning'],
          type.getValues().map(({ name, description }) => [`\`${name}\``, description ?? '']),
        ),
      ]
    if (isUnionType(type)) return [`One of ${type.getTypes().map(linked).join(', ')}.`]
    if (isInputObjectType(type))
      return [table(['Field', 'Type', 'Description'], Object.values(type.getFields()).map(rowOf))]
    if (!isObjectType(type) && !isInterfaceType(type)) return []
    const implemented = isInterfaceType(type) ? this.#schema.getPossibleTypes(type) : type.getInterfaces()
    const relation = isInterfaceType(type) ? 'Implemented by' : 'Implements'
    return [
      implemented.length > 0 ? `${relation} ${implemented.map(linked).join(', ')}.` : '',
      table(['Field', 'Type', 'Description'], Object.values(type.getFields()).map(fieldRow)),
    ]
  }
}

function fieldRow({ name, args, type, description }: GraphQLField<unknown, unknown>): readonly string[] {
  const parameters = args.map((argument) => `${argument.name}: ${argument.type}`).join(', ')
  return [`\`${name}${parameters && `(${parameters})`}\``, linked(type), description ?? '']
}

function rowOf({ name, type, description, astNode }: GraphQLArgument | GraphQLInputField): readonly string[] {
  const value = astNode?.defaultValue ? ` Default: \`${print(astNode.defaultValue)}\`.` : ''
  return [`\`${name}\``, linked(type), `${description ?? ''}${value}`]
}

/** A type such as `[Model!]!`, with a link to `Model`. */
function linked(type: GraphQLType): string {
  const named = getNamedType(type)
  const [before, after] = String(type).split(named.name)
  const name = isSpecifiedScalarType(named)
    ? named.name
    : `[${named.name}](${pageOf(named)}.md#${toAnchor(named.name)})`
  return `${before?.replaceAll('[', String.raw`\[`)}${name}${after?.replaceAll(']', String.raw`\]`)}`
}

function pageOf(type: GraphQLNamedType): string {
  if (isInputObjectType(type)) return 'inputs'
  return isEnumType(type) || isScalarType(type) ? 'enums-and-scalars' : 'types'
}
