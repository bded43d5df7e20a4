import { describe, expect, test } from 'vitest'
import { createAddressRules } from './address-rules.ts'

function kindOf(address: string, allow: readonly string[] = [], host = address) {
  return createAddressRules(allow, 'ALLOW_NETWORKS').classify(host, address)
}

describe('kindOf', () => {
  test.each([
    ['1.1.1.1'],
    ['93.184.215.14'],
    ['172.32.0.1'],
    ['100.128.0.1'],
    ['2606:2800:21f:cb07:6820:80da:af6b:8b2c'],
    ['2a00:1450:4001::200e'],
    // Public IPv4 addresses behind a translator.
    ['::ffff:1.1.1.1'],
    ['64:ff9b::101:101'],
  ])('kindOf classifies %s as public', (address) => {
    expect(kindOf(address)).toBe('public')
  })

  /** Every special-purpose block of the IANA registries. */
  const special = `
    0.0.0.0 0.255.255.255 10.0.0.0 10.255.255.255 100.64.0.0 100.127.255.255 127.0.0.0 127.255.255.255
    172.16.0.0 172.31.255.255 192.0.0.0 192.0.0.255 192.0.2.1 192.31.196.1 192.52.193.1 192.88.99.1 192.168.0.0
    192.168.255.255 192.175.48.1 198.18.0.0 198.19.255.255 198.51.100.1 203.0.113.1 224.0.0.0 239.255.255.255
    240.0.0.0 255.255.255.254 255.255.255.255 :: ::1 ::2 ::808:808 ::ffff:127.0.0.1 ::ffff:10.0.0.1
    ::ffff:0:8.8.8.8 64:ff9b::7f00:1 64:ff9b::10.0.0.1 64:ff9b:1::808:808 100::1 100:0:0:1::1 2001::1
    2001:0:808:808:: 2001:2::1 2001:10::1 2001:20::1 2001:db8::1 2002:7f00:1:: 2002:808:808::1 2620:4f:8000::1
    3fff::1 4000::1 5f00::1 fc00::1 fdff::1 fec0::1 ff02::1 ffff::1
  `
  /** Not addresses, or in forms that programs read in different ways. */
  const malformed = ['', 'localhost', '0177.0.0.1', '0x7f.1', '2130706433', '127.1', '1.1.1.1 ', '010.8.8.8']

  test.each([...words(special), ...malformed])('kindOf classifies %j as private', (address) => {
    expect(kindOf(address)).toBe('private')
  })

  const metadata = `
    169.254.169.254 169.254.170.2 169.254.0.1 100.100.100.200 168.63.129.16 192.0.0.192 fe80::1 fe80::1%eth0
    febf::1 fd00:ec2::254 fd20:ce::254 fd00:42::42 fd00:c1::a9fe:a9fe ::ffff:169.254.169.254 64:ff9b::a9fe:a9fe
    64:ff9b:1::a9fe:a9fe ::169.254.169.254
  `

  test.each(words(metadata))('kindOf classifies %s as metadata, even if its network and host are listed', (address) => {
    const wide = ['0.0.0.0/0', '::/0', '169.254.0.0/16', 'fe80::/10', '169.254.169.254/31', 'metadata.internal']
    expect(kindOf(address)).toBe('metadata')
    expect(kindOf(address, wide, 'metadata.internal')).toBe('metadata')
  })

  test.each([
    ['10.1.2.3', '10.1.2.3'],
    ['10.1.2.3', '10.1.2.3/32'],
    ['10.1.2.3', '10.0.0.0/8'],
    ['10.1.2.3', '10.9.9.9/8'],
    ['::ffff:10.1.2.3', '10.0.0.0/8'],
    ['64:ff9b::10.1.2.3', '10.0.0.0/8'],
    ['10.1.2.3', '::ffff:10.0.0.0/104'],
    ['10.1.2.3', '::ffff:10.1.2.3'],
    ['::1', '::1'],
    ['fd12::1', 'FD00::/8'],
    ['1.1.1.1', '0.0.0.0/0'],
    ['169.254.169.254', '169.254.169.254'],
    ['169.254.169.254', '169.254.169.254/32'],
    ['64:ff9b::a9fe:a9fe', '169.254.169.254'],
    ['fe80::1', 'fe80::1'],
    ['fd00:ec2::254', 'fd00:ec2::254/128'],
  ])('kindOf classifies %s as listed by %s', (address, entry) => {
    expect(kindOf(address, [entry])).toBe('listed')
  })

  test.each([
    ['10.1.2.3', '10.1.2.4'],
    ['11.0.0.1', '10.0.0.0/8'],
    ['127.0.0.1', '::/0'],
    ['::1', '0.0.0.0/0'],
    ['10.1.2.3', 'other.internal'],
  ])('kindOf does not classify %s as listed by %s', (address, entry) => {
    expect(['private', 'public']).toContain(kindOf(address, [entry], 'hooks.internal'))
  })

  test('kindOf classifies a private address as listed if exactly its host name is, in any case', () => {
    expect(kindOf('10.1.2.3', ['Hooks.Internal'], 'hooks.internal')).toBe('listed')
    expect(kindOf('10.1.2.3', ['hooks.internal'], 'a.hooks.internal')).toBe('private')
  })
})

describe('createAddressRules', () => {
  const entries = [
    '',
    ' ',
    '10.0.0.0/33',
    '10.0.0.0/',
    '10.0.0/8',
    '010.0.0.0/8',
    '::/129',
    '::ffff:0:0/80',
    '10.0.0.1-9',
    'http://hooks.internal',
    'hooks.internal:8080',
    'hooks.internal/path',
    '*.internal',
    '[::1]',
    '2130706433',
  ]

  test.each(entries)(
    'createAddressRules throws a TypeError that names the setting and the fix for the entry %j',
    (entry) => {
      expect(() => createAddressRules(['10.0.0.0/8', entry], 'ALLOW_NETWORKS')).toThrow(
        new TypeError(
          `ALLOW_NETWORKS: "${entry}" is not an IP address, CIDR or host name; write 10.1.2.3, 10.0.0.0/8 or ` +
            'hooks.internal, without a scheme, port or path',
        ),
      )
    },
  )
})

function words(text: string): string[] {
  return text.trim().split(/\s+/)
}
