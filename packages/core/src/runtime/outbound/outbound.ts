import { Agent as HttpAgent } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import { isIP } from 'node:net'
import { type Clock, systemClock, withTimeout } from '../clock.ts'
import { Task, Deadlines } from '../run/task.ts'
import { type AddressKind, createAddressRules } from './address-rules.ts'
import { OutboundError, type OutboundRequest, type OutboundResponse, type Target, exchange } from './send-outbound.ts'
import { lookup, Resolver } from 'node:dns/promises'

export interface OutboundOptions {
  /** IP addresses, CIDRs and host names that may also be contacted, over http and on any port. Default: none. */
  readonly allowNetworks?: readonly string[] | undefined
  /** The name of this list in messages, such as `FAIRLEAD_WEBHOOKS_ALLOW_NETWORKS`. */
  readonly setting: string
  /** Default: the operating system for listed and single-label names, DNS servers for all others. */
  readonly resolve?: ResolveHost | undefined
  /** Default: the system's. */
  readonly clock?: Clock | undefined
}

/** Sends requests to URLs that users choose, but only to public addresses and those that the operator allows. */
export interface Outbound {
  /** The reason why a URL may not be contacted, as a predicate (`must use https`); undefined if it may. */
  check(url: string): Promise<string | undefined>
  /** Checks the URL and sends one request. Rejects with an `OutboundError`, or with the signal's reason. */
  request(url: string, request: OutboundRequest): Promise<OutboundResponse>
  /** Closes all connections. Requests in flight fail. */
  close(): void
}

const maxResolveMs = 5_000
/** At public addresses. Users must not be able to probe other services. */
const publicPorts: readonly string[] = ['', '8443']

/**
 * Creates what sends the requests of a feature, such as webhooks, to URLs that users choose.
 *
 * @throws TypeError for a malformed entry of `allowNetworks`
 */
export function createOutbound(options: OutboundOptions): Outbound {
  const { setting, clock = systemClock } = options
  const rules = createAddressRules(options.allowNetworks ?? [], setting)
  const isLocal = (host: string) => rules.listsHost(host) || !host.includes('.')
  const resolve = options.resolve ?? ((host) => (isLocal(host) ? resolveBySystem(host) : resolveByDns(host)))
  // A reused connection needs no new check: its address passed these rules, and the rules do not change. Idle
  // connections are closed before the 5 s after which many servers close them. Node.js gives each address of a host
  // 250 ms to connect, which is too short for a slow link.
  const pool = { keepAlive: true, timeout: 4_000, autoSelectFamilyAttemptTimeout: 2_000 }
  const deadlines = new Deadlines(clock)
  const agents = { http: new HttpAgent(pool), https: new HttpsAgent(pool) }

  async function vet(text: string): Promise<Target | Refusal> {
    const url = URL.parse(text)
    if (!url) return blocked('must be a URL')
    if (url.protocol !== 'https:' && url.protocol !== 'http:') return blocked('must use https')
    if (url.username !== '' || url.password !== '') return blocked('must not contain a user name or password')
    const host = url.hostname.replace(/^\[|\]$|\.$/g, '')
    const addresses = await resolveHost(host).catch(unresolved)
    if ('issue' in addresses) return addresses
    const kinds = new Set(addresses.map((address) => rules.classify(host, address)))
    const isInternal = kinds.has('metadata') || kinds.has('private')
    if (isInternal && isIP(host) === 0 && !rules.listsHost(host)) return unresolved()
    const issue = issueWith(url, kinds)
    return issue === undefined ? { url, host, addresses } : blocked(issue)
  }

  async function resolveHost(host: string): Promise<Target['addresses']> {
    if (isIP(host) !== 0) return [host]
    const [first, ...others] = await withTimeout(() => resolve(host), maxResolveMs, clock)
    if (first === undefined) throw new Error('The resolver returned no addresses')
    return [first, ...others]
  }

  function issueWith({ protocol, port }: URL, kinds: ReadonlySet<AddressKind>): string | undefined {
    if (kinds.has('metadata')) {
      return `must not point to a link-local or cloud metadata address; to allow it, add its exact IP address to ${setting}`
    }
    const fix = `add the host or its network to ${setting}`
    if (kinds.has('private')) return `must not point to a private or reserved address; to allow it, ${fix}`
    if (!kinds.has('public')) return undefined
    if (protocol === 'http:') return `must use https; to allow http, ${fix}`
    return publicPorts.includes(port) ? undefined : `must use port 443 or 8443; to allow other ports, ${fix}`
  }

  /** The same for a name that does not resolve and for a private one: otherwise users could look up internal names. */
  function unresolved(cause?: unknown): Refusal {
    const fix = `to allow another address, add the host or its network to ${setting}`
    return { kind: 'dns', issue: `must have a host name that resolves to a public address; ${fix}`, cause }
  }

  return {
    async check(url) {
      const vetted = await vet(url)
      return 'issue' in vetted ? vetted.issue : undefined
    },
    async request(url, request) {
      const { timeoutMs, signal } = request
      const task = new TimedRequest(timeoutMs)
      const abort = () => task.abort(signal?.reason)
      if (signal?.aborted) abort()
      signal?.addEventListener('abort', abort)
      deadlines.set(task, timeoutMs)
      try {
        const vetted = await task.race(vet(url))
        if ('issue' in vetted) {
          throw new OutboundError(vetted.kind, `The URL ${vetted.issue}`, { cause: vetted.cause })
        }
        const agent = vetted.url.protocol === 'http:' ? agents.http : agents.https
        return await task.race(exchange(vetted, request, agent, task))
      } finally {
        deadlines.remove(task)
        signal?.removeEventListener('abort', abort)
      }
    },
    close() {
      agents.http.destroy()
      agents.https.destroy()
    },
  }
}

/** One request, from the check of its address to its response. */
class TimedRequest extends Task {
  readonly #timeoutMs: number

  constructor(timeoutMs: number) {
    super()
    this.#timeoutMs = timeoutMs
  }

  override expire(): void {
    this.abort(new OutboundError('timeout', `The request did not complete within ${this.#timeoutMs} ms`))
  }
}

interface Refusal {
  readonly kind: 'blocked' | 'dns'
  /** A predicate of the URL. */
  readonly issue: string
  readonly cause?: unknown
}

function blocked(issue: string): Refusal {
  return { kind: 'blocked', issue }
}

/** Returns all addresses of a host name. Rejects if there are none. */
export type ResolveHost = (host: string) => Promise<readonly string[]>

/** Asks the operating system, which also knows the hosts file and the search domains. */
export async function resolveBySystem(host: string): Promise<readonly string[]> {
  const answers = await lookup(host, { all: true })
  return answers.map(({ address }) => address)
}

/**
 * Asks the DNS servers without the threads of `dns.lookup`. Those are few and shared with all other connections of the
 * process, so that a user's name server that never answers would delay the calls to providers.
 */
export async function resolveByDns(
  host: string,
  resolver: Resolver = new Resolver({ timeout: 2_000, tries: 2 }),
): Promise<readonly string[]> {
  const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
  const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
  if (addresses.length === 0 && answers[0].status === 'rejected') throw answers[0].reason
  return addresses
}
