import { type Dispatcher, EnvHttpProxyAgent, Pool } from 'undici'

type Environment = Readonly<Record<string, string | undefined>>

/** The connections to an upstream. */
export interface UpstreamPool {
  readonly dispatcher: Dispatcher
  /** The variable of the proxy, and its address without a password, for messages. Undefined without a proxy. */
  readonly proxy?: string
}

/** Programs on this machine are not reached through a proxy. */
const loopback = ['localhost', '127.0.0.1', '::1']

/**
 * How long an idle connection is kept if the upstream's `Keep-Alive` header does not say. Vendors keep theirs for a minute
 * or longer. A server without TLS, such as vLLM, may close its own after five seconds.
 */
const keepIdleMs = { https: 30_000, http: 4_000 }

/**
 * One connection per call in flight, so that no call waits for a stream. With HTTP/1.1 an abort closes its own socket,
 * which every upstream notices and which affects no other call. Connections go through the proxy that the environment names
 * in `HTTPS_PROXY` or `HTTP_PROXY`, unless `NO_PROXY` lists the host.
 *
 * @throws TypeError that names the variable of a proxy that is not a URL
 */
export function openPool(origin: string, connectMs: number, environment: Environment = process.env): UpstreamPool {
  const isHttps = origin.startsWith('https:')
  const options = {
    connections: null,
    pipelining: 1,
    // Calls would wait for the streams of a connection that the upstream retires (docs/decisions/0061).
    allowH2: false,
    keepAliveTimeout: isHttps ? keepIdleMs.https : keepIdleMs.http,
    connect: { timeout: connectMs },
  } as const
  const used = readProxy(environment, isHttps ? 'HTTPS_PROXY' : 'HTTP_PROXY')
  if (!used) return { dispatcher: new Pool(origin, options) }
  const { hostname } = new URL(origin)
  const noProxy = environment['no_proxy'] || environment['NO_PROXY'] || ''
  const dispatcher = new EnvHttpProxyAgent({
    ...options,
    connectTimeout: connectMs,
    httpProxy: used.url.href,
    httpsProxy: used.url.href,
    noProxy: [noProxy, ...loopback].join(','),
  })
  return loopback.includes(hostname.replace(/[[\]]/g, ''))
    ? { dispatcher }
    : { dispatcher, proxy: `${used.variable} is ${used.url.protocol}//${used.url.host}` }
}

function readProxy(environment: Environment, variable: string) {
  const name = [variable.toLowerCase(), variable].find((each) => environment[each])
  if (name === undefined) return undefined
  const url = URL.parse(environment[name] ?? '')
  if (!url || !/^https?:$/.test(url.protocol))
    throw new TypeError(`${name}: must be the URL of a proxy, such as http://proxy.example.com:3128`)
  return { variable: name, url }
}
