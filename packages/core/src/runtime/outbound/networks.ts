import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

export type Address = ipaddr.IPv4 | ipaddr.IPv6
export type Network = readonly [Address, prefixLength: number]

/** Stands for the IPv4 addresses in an IPv6-only network (RFC 6052). */
const nat64: Network = ipaddr.parseCIDR('64:ff9b::/96')

/** Reads an address; undefined for anything else. ipaddr.js also reads forms such as 0177.1, which programs read in different ways. */
export function parseAddress(text: string): Address | undefined {
  return isIP(text) === 0 ? undefined : unwrap(ipaddr.parse(text))
}

/** Reads a CIDR or an address; undefined for anything else. */
export function parseNetwork(text: string): Network | undefined {
  if (isIP(text.replace(/\/\d{1,3}$/, '')) === 0) return undefined
  if (!text.includes('/')) {
    const address = unwrap(ipaddr.parse(text))
    return [address, countBits(address)]
  }
  if (!ipaddr.isValidCIDR(text)) return undefined
  const [address, prefixLength] = ipaddr.parseCIDR(text)
  const unwrapped = unwrap(address)
  const length = prefixLength - (countBits(address) - countBits(unwrapped))
  return length < 0 ? undefined : [unwrapped, length]
}

/** Reads CIDRs and addresses, and leaves out anything else. */
export function parseNetworks(texts: readonly string[]): readonly Network[] {
  return texts.map(parseNetwork).filter((network) => network !== undefined)
}

export function contains([network, prefixLength]: Network, address: Address): boolean {
  return network.kind() === address.kind() && address.match(network, prefixLength)
}

/** Whether one of the networks contains all addresses of another one. */
export function coversNetwork(networks: readonly string[], other: string): boolean {
  const inner = parseNetwork(other)
  return networks.some((text) => {
    const outer = parseNetwork(text)
    return outer !== undefined && inner !== undefined && contains(outer, inner[0]) && outer[1] <= inner[1]
  })
}

export function isSingleAddress([network, prefixLength]: Network): boolean {
  return prefixLength === countBits(network)
}

function countBits(address: Address): number {
  return address.kind() === 'ipv4' ? 32 : 128
}

/** The IPv4 address that an IPv4-mapped or NAT64 address stands for. Other addresses stay as they are. */
function unwrap(address: Address): Address {
  const isWrapped = address.range() === 'ipv4Mapped' || contains(nat64, address)
  return isWrapped ? embeddedIPv4(address) : address
}

export function embeddedIPv4(address: Address): ipaddr.IPv4 {
  return new ipaddr.IPv4(address.toByteArray().slice(-4))
}

/**
 * The client that an address belongs to when attempts on one account are counted: an IPv4 address, or the /64 of an IPv6
 * address, because one subscriber can use all 2^64 addresses of it.
 */
export function readHost(address: string): string {
  const parsed = parse(address)
  if (parsed instanceof ipaddr.IPv6) return `${toHex(parsed.parts.slice(0, 4))}::/64`
  return parsed?.toString() ?? address
}

/** The network of an address: an IPv4 /24 or an IPv6 /56, which internet providers assign to one customer or a few. */
export function readNetwork(address: string): string {
  const parsed = parse(address)
  if (parsed instanceof ipaddr.IPv4) return `${parsed.octets.slice(0, 3).join('.')}.0/24`
  if (!parsed) return address
  const subnet = (parsed.parts[3] ?? 0) & 0xff00
  return `${toHex(parsed.parts.slice(0, 3))}:${subnet.toString(16).padStart(4, '0')}::/56`
}

const privateRanges: ReadonlySet<string> = new Set([
  'loopback',
  'private',
  'carrierGradeNat',
  'linkLocal',
  'uniqueLocal',
  'unspecified',
])

/** Whether an address is public: neither this machine's nor in a private network. */
export function isPublicAddress(address: string): boolean {
  const parsed = parse(address)
  return parsed !== undefined && !privateRanges.has(parsed.range())
}

/** An IPv4-mapped IPv6 address is parsed as its IPv4 address. */
function parse(address: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  return ipaddr.isValid(address) ? ipaddr.process(address) : undefined
}

function toHex(parts: readonly number[]): string {
  return parts.map((part) => part.toString(16)).join(':')
}
