const groups = 8

/**
 * Whom an address is counted for when one account is concerned: an IPv4 address alone, an IPv6 address with its /64, since
 * whoever has one of those addresses has all 2^64.
 */
export function hostOf(address: string): string {
  if (!isIpv6(address)) return withoutMapping(address)
  return `${ipv6Groups(address).slice(0, 4).join(':')}::/64`
}

/** The network of an address, which providers give to one customer or a few: an IPv4 /24 or an IPv6 /56. */
export function networkOf(address: string): string {
  if (isIpv6(address)) {
    const [one, two, three, four = '0'] = ipv6Groups(address)
    return `${one}:${two}:${three}:${four.padStart(4, '0').slice(0, 2)}00::/56`
  }
  const bytes = withoutMapping(address).split('.')
  return bytes.length === 4 ? `${bytes.slice(0, 3).join('.')}.0/24` : address
}

function isIpv6(address: string): boolean {
  return withoutMapping(address).includes(':')
}

/** An IPv4 address without the prefix that an IPv6 socket puts before it. */
function withoutMapping(address: string): string {
  return address.replace(/^::ffff:(?=[\d.]+$)/i, '')
}

/** All eight groups in their shortest form. */
function ipv6Groups(address: string): readonly string[] {
  const [head = '', tail] = address.split('%')[0]?.split('::') ?? []
  const before = head.split(':').filter((group) => group !== '')
  const after = (tail ?? '').split(':').filter((group) => group !== '')
  const zeros = Array.from({ length: Math.max(0, groups - before.length - after.length) }, () => '0')
  return [...before, ...zeros, ...after].map((group) => group.replace(/^0+(?=.)/, '').toLowerCase())
}
