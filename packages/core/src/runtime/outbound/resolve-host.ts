import { lookup, Resolver } from 'node:dns/promises'

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
