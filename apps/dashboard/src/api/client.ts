import createClient from 'openapi-fetch'
import createQueries from 'openapi-react-query'
import { serviceUrl } from '../home.ts'
import { forProject } from '../projects/current-project.ts'
import { session } from '../session/browser-session.ts'
import { authorizedFetch } from './authorized-fetch.ts'
import type { paths } from './schema.d.ts'

/** Sends a request to the service as the signed-in user. For what has no place in the API description, such as streams. */
export const sendAuthorized = authorizedFetch(session, (request) => fetch(forProject(request)))

/** The service's REST API. The types come from its OpenAPI document. */
export const client = createClient<paths, 'application/json'>({ baseUrl: serviceUrl, fetch: sendAuthorized })

/** Requests of people who are not signed in, such as a login. An access token would be renewed first. */
export const publicClient = createClient<paths, 'application/json'>({ baseUrl: serviceUrl })

export const publicApi = createQueries(publicClient)

/** The API as queries and mutations: `api.useQuery('get', '/api-keys', …)`. */
export const api = createQueries(client)

/** The data of a response. Rejects with the error body of the service. */
export async function readData<Data>(
  response: Promise<{ readonly data?: { readonly data: Data } | undefined; readonly error?: unknown }>,
): Promise<Data> {
  const { data, error } = await response
  if (data === undefined) throw error
  return data.data
}
