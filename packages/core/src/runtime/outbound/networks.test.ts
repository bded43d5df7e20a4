import { describe, expect, test } from 'vitest'
import { readHost, readNetwork } from './networks.ts'

describe('readHost', () => {
  test.each([
    ['192.0.2.7', '192.0.2.7'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['2001:DB8:0001:0002:3:4:5:6', '2001:db8:1:2::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['unknown', 'unknown'],
  ])('readHost maps %s to %s', (address, host) => {
    expect(readHost(address)).toBe(host)
  })
})

describe('readNetwork', () => {
  test.each([
    ['192.0.2.7', '192.0.2.0/24'],
    ['::ffff:192.0.2.7', '192.0.2.0/24'],
    ['2001:db8::1', '2001:db8:0:0000::/56'],
    ['2001:db8:1:12ab::1', '2001:db8:1:1200::/56'],
    ['2001:db8:1:12ff::1', '2001:db8:1:1200::/56'],
    ['2001:db8:1:ab::1', '2001:db8:1:0000::/56'],
    ['2001:db8:1:1ab::1', '2001:db8:1:0100::/56'],
    ['unknown', 'unknown'],
  ])('readNetwork maps %s to %s', (address, network) => {
    expect(readNetwork(address)).toBe(network)
  })
})
