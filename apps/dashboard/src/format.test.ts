import { describe, expect, test } from 'vitest'
import { formatBytes, formatCompact, formatMs, formatRelative, formatUsd } from './format.ts'

describe('formatUsd', () => {
  test.for([
    [0, '$0.00'],
    [0.000_123_4, '$0.00012'],
    [0.933, '$0.93'],
    [0.042, '$0.042'],
    [12.5, '$12.50'],
    [1234.567, '$1,234.57'],
  ] as const)('formatUsd writes %d as %s', ([value, text]) => {
    expect(formatUsd(value)).toBe(text)
  })
})

describe('formatCompact', () => {
  test.for([
    [950, '950'],
    [4_096, '4.1K'],
    [1_014_300, '1.01M'],
  ] as const)('formatCompact writes %d as %s', ([value, text]) => {
    expect(formatCompact(value)).toBe(text)
  })
})

describe('formatBytes', () => {
  test.for([
    [812, '812 B'],
    [1_536, '1.5 KiB'],
    [15 * 1024 * 1024, '15 MiB'],
  ] as const)('formatBytes writes %d as %s', ([value, text]) => {
    expect(formatBytes(value)).toBe(text)
  })
})

describe('formatMs', () => {
  test.for([
    [12, '12 ms'],
    [1234, '1.23 s'],
    [12_340, '12.3 s'],
  ] as const)('formatMs writes %d as %s', ([value, text]) => {
    expect(formatMs(value)).toBe(text)
  })
})

describe('formatRelative', () => {
  const now = Date.UTC(2026, 2, 14)
  test.for([
    [now - 20_000, 'just now'],
    [now - 5 * 60_000, '5 minutes ago'],
    [now + 3 * 86_400_000, 'in 3 days'],
    [now - 90 * 86_400_000, '14 Dec 2025'],
  ] as const)('formatRelative writes %d as %s', ([at, text]) => {
    expect(formatRelative(at, now)).toBe(text)
  })
})
