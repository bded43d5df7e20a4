import { readFileSync } from 'node:fs'
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { FairleadCore } from '@fairlead/core/adapter'
import type { GraphqlListener, GraphqlListenerOptions } from '@fairlead/graphql-adapter'
import { clientAddress, sendRefusal } from '@fairlead/rest-adapter'
import * as z from 'zod'
import { type Config, ConfigError } from './config.ts'

/** The only path of GraphQL. */
export const graphqlPath = '/graphql'

/** Serves GraphQL. The schema is built on the first request. */
export function graphqlHandler(
  core: FairleadCore,
  { graphql: config, maxBodyBytes, trustedProxies }: Pick<Config, 'graphql' | 'maxBodyBytes' | 'trustedProxies'>,
  { admit, bodyRoom }: Pick<GraphqlListenerOptions, 'admit' | 'bodyRoom'>,
): RequestListener {
  const { introspection, documents, onlyDocuments } = config
  const options: GraphqlListenerOptions = {
    introspection,
    suggestions: introspection,
    ...(documents !== undefined && { documents: readDocuments(documents) }),
    onlyDocuments,
    ...(maxBodyBytes !== undefined && { maxBodyBytes }),
    addressOf: (request) => clientAddress(request.headers, request.socket.remoteAddress, trustedProxies),
    admit,
    bodyRoom,
    route: graphqlPath,
  }
  // The schema takes 0.3 s and 20 MB, which a service that is used over REST alone does not pay.
  const load = async () => (await import('@fairlead/graphql-adapter')).graphqlListener(core, options)
  let listener: Promise<GraphqlListener> | undefined
  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    const listen = await (listener ??= load())
    if (!response.closed) listen(request, response)
  }
  return (request, response) => {
    serve(request, response).catch((error: unknown) => sendRefusal(core, request, response, error))
  }
}

const manifest = z.record(z.string(), z.string())

function readDocuments(file: string): Readonly<Record<string, string>> {
  try {
    return manifest.parse(JSON.parse(readFileSync(file, 'utf8')))
  } catch (error) {
    throw new ConfigError(
      `FAIRLEAD_GRAPHQL_DOCUMENTS must name a JSON file that maps ids to documents, such as {"list": "{ models { id } }"}`,
      { cause: error },
    )
  }
}
