import { openPool } from '#open-pool'
import { type HttpClient, openClient } from './http-client.ts'
import type { HttpClientOptions } from './http-client-options.ts'

/**
 * A client of one upstream. It never retries, because the router does; only a request that is rejected with 401 is sent once
 * more if `authorize` has other headers by then.
 *
 * @throws TypeError that names the invalid option and never repeats its value, which may be a secret
 */
export function createHttpClient(options: HttpClientOptions): HttpClient {
  return openClient(options, openPool)
}
