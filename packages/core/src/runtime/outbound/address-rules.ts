import ipaddr from 'ipaddr.js'
import {
  type Address,
  contains,
  embeddedIPv4,
  isSingleAddress,
  type Network,
  parseAddress,
  parseNetwork,
} from './networks.ts'

/**
 * How an address may be contacted. `public`: a global unicast address. `listed`: the operator allows it. `private`: any
 * other address. `metadata`: link-local, or the metadata service of a cloud.
 */
export type AddressKind = 'public' | 'listed' | 'private' | 'metadata'

/**
 * Anyone who can send a request from inside a cloud can get credentials here, so that a listed network or host name
 * does not include these addresses. Only an entry for the single address does.
 */
const metadataNetworks: readonly Network[] = [
  '169.254.0.0/16', // link-local; AWS, Azure, Google Cloud and others serve metadata at 169.254.169.254
  'fe80::/10', // link-local
  'fd00:ec2::/32', // AWS
  'fd20:ce::254/128', // Google Cloud
  'fd00:42::42/128', // Scaleway
  '100.100.100.200/32', // Alibaba Cloud
  '168.63.129.16/32', // Azure; a global unicast address
  '192.0.0.192/32', // Oracle Cloud
].map((text) => ipaddr.parseCIDR(text))

/** All global unicast addresses of IPv6. The rest of the address space is special or not assigned. */
const globalUnicast: Network = ipaddr.parseCIDR('2000::/3')

/**
 * @param entries IP addresses, CIDRs and host names
 * @param setting where the operator lists them, for messages
 * @throws TypeError for an entry that is none of these
 */
export function createAddressRules(entries: readonly string[], setting: string) {
  const hosts = new Set<string>()
  const networks: Network[] = []
  for (const entry of entries) {
    const network = parseNetwork(entry)
    if (network) networks.push(network)
    else if (hostName.test(entry)) hosts.add(entry.toLowerCase())
    else throw malformed(entry, setting)
  }

  /** @param host the host name that resolved to the address, or the address itself */
  function classify(host: string, text: string): AddressKind {
    const address = parseAddress(text)
    if (!address) return 'private'
    const matches = networks.filter((network) => contains(network, address))
    if (matches.some(isSingleAddress)) return 'listed'
    if (isMetadata(address)) return 'metadata'
    if (matches.length > 0 || hosts.has(host)) return 'listed'
    return isPublic(address) ? 'public' : 'private'
  }

  return { classify, listsHost: (host: string) => hosts.has(host) }
}

/** Whether a text is an IP address, CIDR, or host name, as the operator may list it. */
export function isNetworkOrHost(text: string): boolean {
  return parseNetwork(text) !== undefined || hostName.test(text)
}

/** The last label begins with a letter, so that a misspelled address is not a host name. */
const hostName = /^(?:[a-z0-9_-]+\.)*[a-z][a-z0-9-]*$/i

function malformed(entry: string, setting: string): TypeError {
  return new TypeError(
    `${setting}: "${entry}" is not an IP address, CIDR or host name; write 10.1.2.3, 10.0.0.0/8 or hooks.internal, ` +
      'without a scheme, port or path',
  )
}

function isPublic(address: Address): boolean {
  const isGlobal = address.kind() === 'ipv4' || contains(globalUnicast, address)
  return isGlobal && address.range() === 'unicast'
}

function isMetadata(address: Address): boolean {
  if (metadataNetworks.some((network) => contains(network, address))) return true
  if (address.kind() === 'ipv4' || contains(globalUnicast, address)) return false
  // Translators with their own prefix, such as 64:ff9b:1::/96, keep the IPv4 address in the last 32 bits.
  return isMetadata(embeddedIPv4(address))
}
