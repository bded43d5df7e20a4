import ipaddr from 'ipaddr.js'

/**
 * The client that an address belongs to when attempts on one account are counted: an IPv4 address, or the /64 of an IPv6
 * address, because one subscriber can use all 2^64 addresses of it.
 */
export function hostOf(address: string): string {
  const parsed = parse(address)
  if (parsed instanceof ipaddr.IPv6) return `${toHex(parsed.parts.slice(0, 4))}::/64`
  return parsed?.toString() ?? address
}

/** The network of an address: an IPv4 /24 or an IPv6 /56, which internet providers assign to one customer or a few. */
export function networkOf(address: string): string {
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
