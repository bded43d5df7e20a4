import { clip, maxNameLength } from '@fairlead/core/adapter'
import {
  type DocumentNode,
  type ExecutableDefinitionNode,
  GraphQLError,
  type GraphQLSchema,
  Lexer,
  NoSchemaIntrospectionCustomRule,
  type OperationDefinitionNode,
  parse,
  Source,
  TokenKind,
  validate,
  visit,
} from 'graphql'
import { LRUCache } from 'lru-cache'
import { maxErrors, type Refusal, toRefusal } from '../errors.ts'
import { documentRules } from './input-rules.ts'
import { checkRepeats, type Cost, type OperationLimits, maxAliasesRule, maxIntrospectionRule } from './limits.ts'

/** A parsed and validated document: its errors, or its operations. */
export type CheckedDocument = {
  /** The number of tokens, which is a measure of its memory. */
  readonly tokens: number
} & (
  | { readonly refusals: readonly Refusal[] }
  | {
      readonly refusals?: undefined
      /** Finds the operation of this name; the only one if there is no name. */
      operation(name: string | null | undefined): ValidOperation | GraphQLError
    }
)

/** One operation of a valid document. */
export interface ValidOperation {
  readonly node: OperationDefinitionNode
  /** The document with this operation only. */
  readonly document: DocumentNode
  /** Whether its cost depends on its variables. */
  readonly costVaries: boolean
  /** Its cost, once measured, if it does not vary. */
  cost: Cost | undefined
}

export interface DocumentOptions {
  readonly schema: GraphQLSchema
  readonly limits: OperationLimits
  /** Whether clients may introspect the schema. */
  readonly introspection: boolean
  /** Whether errors suggest the name that was probably meant. */
  readonly suggestions: boolean
}

const maxDocuments = 1_000
const maxCacheBytes = 32 * 1024 * 1024
/** Longer documents contain literal values and are rarely repeated. */
const maxCachedLength = 20_000
/** The approximate memory of a token with its nodes. */
const bytesPerToken = 500

/** Longer documents are rejected before parsing: what makes a document long are values, which belong in variables. */
const maxDocumentLength = 100_000
/** With more lines, computing the locations of errors takes longer than everything else. */
const maxLocatedLines = 1_000
/** The parser recurses for each bracket. */
const maxNesting = 64

/** Returns a function that checks documents and caches the results: most requests repeat a document. */
export function documentChecker({ schema, limits, introspection, suggestions }: DocumentOptions) {
  const cache = new LRUCache<string, CheckedDocument>({
    max: maxDocuments,
    maxSize: maxCacheBytes,
    sizeCalculation: ({ tokens }, text) => text.length + 1 + tokens * bytesPerToken,
  })
  const rules = [
    ...documentRules(suggestions),
    maxAliasesRule(limits.aliases),
    introspection ? maxIntrospectionRule : NoSchemaIntrospectionCustomRule,
  ]

  function check(text: string): CheckedDocument {
    try {
      const document = parseDocument(text, limits.tokens)
      const tokens = document.tokenCount ?? limits.tokens
      const repetitive = checkRepeats(document, limits.repeats)
      if (repetitive) return { tokens, refusals: [toRefusal(repetitive)] }
      const errors = validate(schema, document, rules, { maxErrors, hideSuggestions: !suggestions })
      if (errors.length > 0) return { tokens, refusals: errors.map((error) => toRefusal(error, suggestions)) }
      return { tokens, operation: operationFinder(document) }
    } catch (error) {
      if (error instanceof GraphQLError) return { tokens: 0, refusals: [toRefusal(error)] }
      throw error
    }
  }

  return (text: string): CheckedDocument => {
    let document = cache.get(text)
    if (document) return document
    document = check(text)
    if (text.length <= maxCachedLength) cache.set(text, document)
    return document
  }
}

function operationFinder({ definitions, ...document }: DocumentNode) {
  const fragments = definitions.filter((definition) => definition.kind === 'FragmentDefinition')
  const fragmentsVary = fragments.some(hasVariableLength)
  const operations = definitions
    .filter((definition) => definition.kind === 'OperationDefinition')
    .map((node): ValidOperation => ({
      node,
      document: { ...document, definitions: [node, ...fragments] },
      costVaries: fragmentsVary || hasVariableLength(node),
      cost: undefined,
    }))
  const byName = new Map(operations.map((operation) => [operation.node.name?.value, operation]))
  const only = operations.length === 1 ? operations[0] : undefined
  return (name: string | null | undefined) => {
    const operation = byName.get(name ?? only?.node.name?.value)
    if (operation) return operation
    if (name === null || name === undefined) {
      return new GraphQLError('The document has several operations: set "operationName".')
    }
    return new GraphQLError(`The document has no operation named "${clip(name, maxNameLength)}".`)
  }
}

/** The cost depends on variables only through the length of lists. */
function hasVariableLength(definition: ExecutableDefinitionNode): boolean {
  let varies = false
  visit(definition, {
    Argument({ name, value }) {
      if ((name.value === 'first' || name.value === 'last') && value.kind === 'Variable') varies = true
    },
  })
  return varies
}

/** Throws a `GraphQLError` for a syntax error or an exceeded limit. */
function parseDocument(text: string, maxTokens: number): DocumentNode {
  if (text.length > maxDocumentLength) {
    throw new GraphQLError(`The document has more than ${maxDocumentLength} characters: send long values as variables.`)
  }
  const source = new Source(text)
  // Few documents have that many brackets at all.
  if ((text.match(/[([{]/g)?.length ?? 0) > maxNesting) checkNesting(source, maxTokens)
  const lines = (text.match(/[\n\r]/g)?.length ?? 0) + 1
  return parse(source, { maxTokens, noLocation: lines > maxLocatedLines })
}

/** Rejects deeply nested brackets before the parser reaches them. */
function checkNesting(source: Source, maxTokens: number): void {
  const lexer = new Lexer(source)
  let depth = 0
  for (let tokens = 0; tokens <= maxTokens; tokens += 1) {
    const { kind, start } = lexer.advance()
    if (kind === TokenKind.EOF) return
    if (opening.has(kind)) depth += 1
    else if (closing.has(kind)) depth -= 1
    if (depth <= maxNesting) continue
    throw new GraphQLError(`The document nests brackets more than ${maxNesting} deep.`, { source, positions: [start] })
  }
}

const opening: ReadonlySet<string> = new Set(['(', '[', '{'])
const closing: ReadonlySet<string> = new Set([')', ']', '}'])
