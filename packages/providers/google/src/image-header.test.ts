import { describe, expect, test } from 'vitest'
import { readImageHeader } from './image-header.ts'

const start = [0xff, 0xd8]
const comment = [0xff, 0xfe, 0, 4, 0xff, 0xc0]
const frame = [0xff, 0xc2, 0, 17, 8, 0x02, 0xa0, 0x06, 0x30]

describe('readImageHeader', () => {
  test('readImageHeader reads the size of a JPEG after other segments, and after padding', () => {
    const size = { type: 'jpeg', width: 1_584, height: 672 }
    expect(readImageHeader(Buffer.from([...start, ...comment, ...frame]))).toEqual(size)
    expect(readImageHeader(Buffer.from([...start, 0xff, 0xff, ...comment, 0xff, ...frame]))).toEqual(size)
  })

  test.for([
    ['has other bytes in place of a segment', [0, 0, 0, 2], 'its header is damaged'],
    ['has a marker without a length', [0xff, 0xd0, 0, 2], 'its header is damaged'],
    ['ends before its size', comment, 'out of range'],
  ] as const)('readImageHeader rejects a JPEG that %s', ([, bytes, reason]) => {
    expect(() => readImageHeader(Buffer.from([...start, ...bytes, ...frame.slice(0, 6)]))).toThrow(reason)
  })
})
