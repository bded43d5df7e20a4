import { clip, maxNameLength } from '@fairlead/core'
import { type DocumentNode, GraphQLError, type GraphQLSchema, NoSchemaIntrospectionCustomRule, validate } from 'graphql'
import { LRUCache } from 'lru-cache'
import type { Limits } from './limits.ts'
import { maxAliasesRule } from './max-aliases-rule.ts'
import { maxIntrospectionRule } from './max-introspection-rule.ts'
import { documentRules } from './inputs-rule.ts'
import { parseDocument } from './parse-document.ts'
import { refuseRepetitive } from './refuse-repetitive.ts'
import { maxErrors, type Refusal, toRefusal } from './request-error.ts'
import { type KnownOperation, knownOperations } from './known-operation.ts'

/** A document that was read once: what is wrong with it, or its operations. */
export type KnownDocument = {
  /** How many it was parsed into. */
  readonly tokens: number
} & (
  | { readonly refusals: readonly Refusal[] }
  | {
      readonly refusals?: undefined
      /** The one of that name; the only one, where no name is given. */
      operation(name: string | null | undefined): KnownOperation | GraphQLError
    }
)

export interface KnownDocumentsOptions {
  readonly schema: GraphQLSchema
  readonly limits: Limits
  /** Whether the schema may be asked for. */
  readonly introspection: boolean
  /** Whether errors name what was probably meant. */
  readonly suggestions: boolean
}

const maxDocuments = 1_000
const maxBytes = 32 * 1024 * 1024
/** A longer document has values written into it, and hardly comes again. */
const maxKnownLength = 20_000
/** About what a token takes in memory, with its nodes. A document may be nothing but tokens. */
const bytesOfToken = 500

/** Reads documents, and remembers the latest: most requests send one that was sent before. */
export function knownDocuments({
  schema,
  limits,
  introspection,
  suggestions,
}: KnownDocumentsOptions): (text: string) => KnownDocument {
  const known = new LRUCache<string, KnownDocument>({
    max: maxDocuments,
    maxSize: maxBytes,
    sizeCalculation: ({ tokens }, text) => text.length + 1 + tokens * bytesOfToken,
  })
  const rules = [
    ...documentRules,
    maxAliasesRule(limits.aliases),
    introspection ? maxIntrospectionRule : NoSchemaIntrospectionCustomRule,
  ]

  function read(text: string): KnownDocument {
    try {
      const document = parseDocument(text, limits.tokens)
      const tokens = document.tokenCount ?? limits.tokens
      const repetitive = refuseRepetitive(document, limits.repeats)
      if (repetitive) return { tokens, refusals: [toRefusal(repetitive)] }
      const errors = validate(schema, document, rules, { maxErrors: maxErrors, hideSuggestions: !suggestions })
      if (errors.length > 0) return { tokens, refusals: errors.map(toRefusal) }
      return { tokens, operation: operationFinder(document) }
    } catch (error) {
      if (error instanceof GraphQLError) return { tokens: 0, refusals: [toRefusal(error)] }
      throw error
    }
  }

  return (text) => {
    let document = known.get(text)
    if (document) return document
    document = read(text)
    if (text.length <= maxKnownLength) known.set(text, document)
    return document
  }
}

function operationFinder(document: DocumentNode) {
  const operations = knownOperations(document)
  const found = new Map(operations.map((operation) => [operation.node.name?.value, operation]))
  const only = operations.length === 1 ? operations[0] : undefined
  return (name: string | null | undefined) => {
    const operation = found.get(name ?? only?.node.name?.value)
    if (operation) return operation
    if (name === null || name === undefined) return new GraphQLError('The document has several operations: name one.')
    return new GraphQLError(`The document has no operation called "${clip(name, maxNameLength)}".`)
  }
}
