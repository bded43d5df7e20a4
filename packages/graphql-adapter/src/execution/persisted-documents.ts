import { GraphQLError } from 'graphql'
import type { GraphqlRequest } from './engine.ts'

/** A request that may name a persisted document: by `documentId`, or by its hash as Apollo clients do. */
export interface PersistedRequest extends GraphqlRequest {
  readonly documentId?: unknown
  readonly extensions?: unknown
}

/** Replaces the id of a persisted document by its text. */
export type FindDocument = (request: PersistedRequest) => GraphqlRequest | GraphQLError

/**
 * @param documents persisted documents by id
 * @param only whether other documents are rejected
 */
export function documentFinder(documents: Readonly<Record<string, string>>, only: boolean): FindDocument {
  const byId = new Map(Object.entries(documents))
  const find = (id: string) => byId.get(id) ?? byId.get(`sha256:${id}`)

  return (request) => {
    const { documentId } = request
    if (typeof documentId === 'string') {
      const query = find(documentId)
      return query === undefined ? new GraphQLError('Unknown document id.') : { ...request, query }
    }
    if (documentId !== undefined && documentId !== null) return new GraphQLError('The "documentId" must be a string.')
    const hash = readHash(request)
    const query = hash === undefined ? undefined : find(hash)
    if (query !== undefined) return { ...request, query }
    if (hash !== undefined && typeof request.query !== 'string') return unknownHash(byId.size > 0)
    return only ? new GraphQLError('Only persisted documents are accepted: send a "documentId".') : request
  }
}

function readHash({ extensions }: PersistedRequest): string | undefined {
  const { persistedQuery } = (extensions ?? {}) as {
    readonly persistedQuery?: { readonly sha256Hash?: unknown } | null
  }
  return typeof persistedQuery?.sha256Hash === 'string' ? persistedQuery.sha256Hash : undefined
}

/**
 * Documents are not registered at run time. Clients depend on these messages: after the first they send the text of this
 * document, after the second they stop sending hashes.
 */
function unknownHash(hasDocuments: boolean): GraphQLError {
  return new GraphQLError(hasDocuments ? 'PersistedQueryNotFound' : 'PersistedQueryNotSupported')
}
