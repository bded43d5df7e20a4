import { describe, expect, test } from 'vitest'
import { StopScanner } from './stop-scanner.ts'

function scanned(stops: readonly string[], pieces: readonly string[]) {
  const scanner = new StopScanner(stops)
  const text = pieces.map((piece) => scanner.push(piece)).join('') + scanner.flush()
  return { text, stoppedBy: scanner.stoppedBy }
}

describe('StopScanner', () => {
  test('StopScanner passes everything on without stop sequences', () => {
    expect(scanned([], ['one ', 'two'])).toEqual({ text: 'one two', stoppedBy: undefined })
  })

  test('StopScanner ends before a stop sequence that arrives in pieces', () => {
    expect(scanned(['END'], ['one E', 'N', 'D two'])).toEqual({ text: 'one ', stoppedBy: 'END' })
  })

  test('StopScanner passes on text that only began like a stop sequence', () => {
    expect(scanned(['END'], ['EN', 'EN', 'tropy E'])).toEqual({ text: 'ENENtropy E', stoppedBy: undefined })
  })

  test('StopScanner ends at the earliest of several', () => {
    expect(scanned(['three', 'two'], ['one two three'])).toEqual({ text: 'one ', stoppedBy: 'two' })
  })

  test('StopScanner holds back no more text than a stop sequence may need', () => {
    const scanner = new StopScanner(['END'])
    expect(scanner.push('a line E')).toBe('a line ')
    expect(scanner.push('ight')).toBe('Eight')
  })
})
