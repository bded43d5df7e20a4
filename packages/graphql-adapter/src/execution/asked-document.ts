import { GraphQLError } from 'graphql'
import type { Asked } from './engine.ts'

/** What a request may name instead of its document: the id, as a parameter or the way Apollo's clients send it. */
export interface AskedById extends Asked {
  readonly documentId?: unknown
  readonly extensions?: unknown
}

/** Finds the document that a request asks for. */
export type FindDocument = (asked: AskedById) => Asked | GraphQLError

/**
 * @param documents by their ids
 * @param only whether no other document is taken
 */
export function documentFinder(documents: Readonly<Record<string, string>>, only: boolean): FindDocument {
  const byId = new Map(Object.entries(documents))
  const find = (id: string) => byId.get(id) ?? byId.get(`sha256:${id}`)

  return (asked) => {
    const { documentId } = asked
    if (typeof documentId === 'string') {
      const query = find(documentId)
      return query === undefined ? new GraphQLError('There is no document with this id.') : { ...asked, query }
    }
    if (documentId !== undefined && documentId !== null) return new GraphQLError('The "documentId" must be a string.')
    const hash = hashOf(asked)
    const query = hash === undefined ? undefined : find(hash)
    if (query !== undefined) return { ...asked, query }
    if (hash !== undefined && typeof asked.query !== 'string') return unknownHash(byId.size > 0)
    return only ? new GraphQLError('Only the service’s own documents are taken: send a "documentId".') : asked
  }
}

function hashOf({ extensions }: AskedById): string | undefined {
  const { persistedQuery } = (extensions ?? {}) as {
    readonly persistedQuery?: { readonly sha256Hash?: unknown } | null
  }
  return typeof persistedQuery?.sha256Hash === 'string' ? persistedQuery.sha256Hash : undefined
}

/**
 * Documents that come once are not remembered by their hash. Clients go by these words: after the first they send this
 * document, after the second any document as it is.
 */
function unknownHash(others: boolean): GraphQLError {
  return new GraphQLError(others ? 'PersistedQueryNotFound' : 'PersistedQueryNotSupported')
}
