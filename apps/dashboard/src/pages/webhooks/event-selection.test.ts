import { describe, expect, test } from 'vitest'
import { eventGroups } from '../../events/event-types.ts'
import { includesType, toggleGroup, toggleType } from './event-selection.ts'

describe('toggleGroup', () => {
  test('toggleGroup replaces the types of a group by the group', () => {
    expect(toggleGroup(['shipment.created', 'image.failed'], 'shipment.*')).toEqual(['image.failed', 'shipment.*'])
  })

  test('toggleGroup removes one group from all events', () => {
    expect(toggleGroup(['*'], 'image.*')).toEqual(eventGroups.filter((group) => group !== 'image.*'))
  })
})

describe('toggleType', () => {
  test('toggleType adds and removes a type', () => {
    expect(toggleType([], 'image.failed')).toEqual(['image.failed'])
    expect(toggleType(['image.failed', 'quota.*'], 'image.failed')).toEqual(['quota.*'])
  })

  test('toggleType keeps the other types of a group', () => {
    expect(toggleType(['image.*', 'quota.*'], 'image.failed')).toEqual(['quota.*', 'image.completed'])
  })

  test('toggleType keeps all other events', () => {
    const patterns = toggleType(['*'], 'image.failed')
    expect(includesType(patterns, 'image.failed')).toBe(false)
    expect(includesType(patterns, 'image.completed')).toBe(true)
    expect(includesType(patterns, 'user.created')).toBe(true)
  })
})
