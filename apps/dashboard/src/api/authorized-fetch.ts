import type { Session } from '../session/session.ts'

/** A `fetch` that adds the access token, and repeats a request once with a new one if the service rejects it. */
export function authorizedFetch(
  session: Pick<Session, 'token' | 'renew'>,
  send: (request: Request) => Promise<Response> = (request) => fetch(request),
): (request: Request) => Promise<Response> {
  return async (request) => {
    const token = await session.token()
    const response = await send(withToken(request.clone(), token))
    // The user may have been suspended, which only the session knows.
    if (response.status === 403) await session.renew(token).catch(() => {})
    if (response.status !== 401) return response
    const renewed = await session.renew(token)
    return renewed === undefined || renewed === token ? response : send(withToken(request, renewed))
  }
}

function withToken(request: Request, token: string | undefined): Request {
  if (token !== undefined) request.headers.set('authorization', `Bearer ${token}`)
  return request
}
