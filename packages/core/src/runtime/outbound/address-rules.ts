import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/**
 * How an address may be contacted. `public`: a global unicast address. `listed`: the operator allows it. `private`: any
 * other address. `metadata`: link-local, or the metadata service of a cloud.
 */
export type AddressKind = 'public' | 'listed' | 'private' | 'metadata'

type Address = ipaddr.IPv4 | ipaddr.IPv6
type Network = readonly [Address, prefixLength: number]

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

/** Stands for the IPv4 addresses in an IPv6-only network (RFC 6052). */
const nat64: Network = ipaddr.parseCIDR('64:ff9b::/96')

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
  function kindOf(host: string, text: string): AddressKind {
    // ipaddr.js also reads forms such as 0177.1, which programs read in different ways.
    if (isIP(text) === 0) return 'private'
    const address = unwrap(ipaddr.parse(text))
    const matches = networks.filter((network) => contains(network, address))
    if (matches.some(isSingleAddress)) return 'listed'
    if (isMetadata(address)) return 'metadata'
    if (matches.length > 0 || hosts.has(host)) return 'listed'
    return isPublic(address) ? 'public' : 'private'
  }

  return { kindOf, listsHost: (host: string) => hosts.has(host) }
}

/** Whether a text is an IP address, CIDR, or host name, as the operator may list it. */
export function isNetworkOrHost(text: string): boolean {
  return parseNetwork(text) !== undefined || hostName.test(text)
}

/** Reads a CIDR or an address; undefined for anything else. */
function parseNetwork(text: string): Network | undefined {
  if (isIP(text.replace(/\/\d{1,3}$/, '')) === 0) return undefined
  if (!text.includes('/')) {
    const address = unwrap(ipaddr.parse(text))
    return [address, bitsOf(address)]
  }
  if (!ipaddr.isValidCIDR(text)) return undefined
  const [address, prefixLength] = ipaddr.parseCIDR(text)
  const unwrapped = unwrap(address)
  const length = prefixLength - (bitsOf(address) - bitsOf(unwrapped))
  return length < 0 ? undefined : [unwrapped, length]
}

/** The last label begins with a letter, so that a misspelled address is not a host name. */
const hostName = /^(?:[a-z0-9_-]+\.)*[a-z][a-z0-9-]*$/i

function malformed(entry: string, setting: string): TypeError {
  return new TypeError(
    `${setting}: "${entry}" is not an IP address, CIDR or host name; write 10.1.2.3, 10.0.0.0/8 or hooks.internal, ` +
      'without a scheme, port or path',
  )
}

function bitsOf(address: Address): number {
  return address.kind() === 'ipv4' ? 32 : 128
}

function contains([network, prefixLength]: Network, address: Address): boolean {
  return network.kind() === address.kind() && address.match(network, prefixLength)
}

function isSingleAddress([network, prefixLength]: Network): boolean {
  return prefixLength === bitsOf(network)
}

function isPublic(address: Address): boolean {
  const isGlobal = address.kind() === 'ipv4' || contains(globalUnicast, address)
  return isGlobal && address.range() === 'unicast'
}

function isMetadata(address: Address): boolean {
  if (metadataNetworks.some((network) => contains(network, address))) return true
  if (address.kind() === 'ipv4' || contains(globalUnicast, address)) return false
  // Translators with a prefix of their own, such as 64:ff9b:1::/96, keep the IPv4 address in the last 32 bits.
  return isMetadata(embeddedIPv4(address))
}

/** The IPv4 address that an IPv4-mapped or NAT64 address stands for. Other addresses stay as they are. */
function unwrap(address: Address): Address {
  const isWrapped = address.range() === 'ipv4Mapped' || contains(nat64, address)
  return isWrapped ? embeddedIPv4(address) : address
}

function embeddedIPv4(address: Address): ipaddr.IPv4 {
  return new ipaddr.IPv4(address.toByteArray().slice(-4))
}
