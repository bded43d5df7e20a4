import { describe, expect, test } from 'vitest'
import { untilStable } from './until-stable.ts'

describe('untilStable', () => {
  test('untilStable returns no change after one run that changes nothing', () => {
    const { update, hashes, runs } = files([{ a: '1' }])
    expect(untilStable(update, hashes)).toEqual({ changed: [] })
    expect(runs()).toBe(1)
  })

  test('untilStable runs until no file changes, and forgives a failure before that', () => {
    const { update, hashes, runs } = files(
      [
        { a: '1', b: '1' },
        { a: '2', b: '1', c: '1' },
        { a: '2', b: '2', c: '1' },
      ],
      ['not yet'],
    )
    expect(untilStable(update, hashes)).toEqual({ changed: ['a', 'b', 'c'] })
    expect(runs()).toBe(3)
  })

  test('untilStable returns the failure of a run that changes nothing', () => {
    const { update, hashes } = files([{ a: '1' }, { a: '2' }], ['not yet', 'a breaking change'])
    expect(untilStable(update, hashes)).toEqual({ changed: ['a'], problem: 'a breaking change' })
  })

  test('untilStable gives up on files that change in every run', () => {
    let count = 0
    const result = untilStable(
      () => undefined,
      () => new Map([['a', String(count++)]]),
    )
    expect(result).toEqual({ changed: ['a'], problem: 'The files still changed in run 4.' })
  })
})

/** Files that have the next state after each run, and then stay. */
function files(states: readonly Readonly<Record<string, string>>[], failures: readonly string[] = []) {
  let run = 0
  return {
    runs: () => run,
    update: () => failures[run++],
    hashes: () => new Map(Object.entries(states[Math.min(run, states.length - 1)] ?? {})),
  }
}
