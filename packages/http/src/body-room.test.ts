import { describe, expect, test } from 'vitest'
import { type BodyOwner, createBodyRoom } from './request-body.ts'

const kilobyte = 1_000
const ada = { address: '203.0.113.7', account: 'usr_ada' }
const alan = { address: '198.51.100.7', account: 'usr_alan' }

/** Room for 1 MB, of which an account and a network have 300 kB. */
function smallRoom() {
  const room = createBodyRoom({ maxBytes: 1_000 * kilobyte, maxBodyBytes: 300 * kilobyte })
  const hold = (owner: BodyOwner, bytes: number) => {
    const held = room.hold(owner)
    return { held, fits: held.take(bytes) }
  }
  return { room, hold }
}

describe('the room for bodies', () => {
  test('the room for bodies is full for an account that holds its share, until one of its requests has ended', () => {
    const { room, hold } = smallRoom()
    const { held } = hold(ada, 200 * kilobyte)
    expect(hold({ ...ada, address: '192.0.2.1' }, 101 * kilobyte).fits).toBe(false)
    expect(hold(alan, 300 * kilobyte).fits).toBe(true)
    expect(room.heldBytes).toBe(500 * kilobyte)
    held.end()
    held.end()
    expect(room.heldBytes).toBe(300 * kilobyte)
    expect(hold(ada, 300 * kilobyte).fits).toBe(true)
  })

  test('the room for bodies is full for a network whose accounts hold its share', () => {
    const { hold } = smallRoom()
    hold(ada, 200 * kilobyte)
    expect(hold({ address: '203.0.113.8', account: 'usr_other' }, 101 * kilobyte).fits).toBe(false)
    expect(hold({ address: '203.0.114.8', account: 'usr_other' }, 101 * kilobyte).fits).toBe(true)
  })

  test.each(['127.0.0.1', '10.1.2.3', 'fd00::1', '::ffff:192.168.1.1', 'unknown'])(
    'the room for bodies has no share for the private network of %s, except for callers without an account',
    (address) => {
      const { hold } = smallRoom()
      hold({ address, account: 'usr_ada' }, 300 * kilobyte)
      expect(hold({ address, account: 'usr_alan' }, 300 * kilobyte).fits).toBe(true)
      expect(hold({ address, account: undefined }, 200 * kilobyte).fits).toBe(true)
      expect(hold({ address, account: undefined }, 101 * kilobyte).fits).toBe(false)
    },
  )

  test('the room for bodies counts small ones for the process alone', () => {
    const { room, hold } = smallRoom()
    const fitting = Array.from({ length: 20 }, () => hold(ada, 60 * kilobyte).fits).filter(Boolean)
    expect(fitting).toHaveLength(16)
    expect(room.heldBytes).toBe(960 * kilobyte)
    expect(hold(ada, 40 * kilobyte).fits).toBe(true)
    expect(hold(alan, 1).fits).toBe(false)
  })

  test('the room for bodies counts one of unknown length as it arrives, whole once it is not small', () => {
    const { room, hold } = smallRoom()
    const { held } = hold(ada, 60 * kilobyte)
    expect(held.take(60 * kilobyte)).toBe(true)
    expect(hold(ada, 181 * kilobyte).fits).toBe(false)
    expect(held.take(180 * kilobyte)).toBe(true)
    expect(held.take(1)).toBe(false)
    expect(room.heldBytes).toBe(300 * kilobyte)
    held.end()
    expect(held.take(1_000 * kilobyte)).toBe(true)
    expect(room.heldBytes).toBe(0)
  })

  test('the room for bodies always has room for one of the largest size', () => {
    const { maxBytes, maxShareBytes } = createBodyRoom({ maxBytes: 1 })
    expect([maxBytes, maxShareBytes]).toEqual([32 * 1_048_576, 32 * 1_048_576])
  })

  test('the room for bodies is a quarter of the memory by default, and that of an account a quarter of it', () => {
    const { maxBytes, maxShareBytes } = createBodyRoom({ maxBodyBytes: 1 })
    expect(maxBytes).toBeGreaterThan(32 * 1_048_576)
    expect(maxShareBytes).toBe(Math.floor(maxBytes / 4))
    expect(createBodyRoom({ maxBodyBytes: 1, processes: 64 }).maxBytes).toBeLessThan(maxBytes)
  })
})
