import { describe, expect, test } from 'vitest'
import { classify, isLost, toStoreError } from './postgres-failure.ts'

/** An error as `pg` reports it. */
function failure(code: string, severity = 'ERROR'): Error {
  return Object.assign(new Error('a failure'), { code, severity })
}

describe('a failed statement', () => {
  test.each([
    ['a connection that broke', failure('08006'), 'lost'],
    ['a server that shuts down', failure('57P01', 'FATAL'), 'lost'],
    ['an error that ends the session', failure('XX000', 'FATAL'), 'lost'],
    ['a read-only session', failure('25006'), 'answered'],
    ['a transaction that was idle for too long', failure('25P03', 'FATAL'), 'answered'],
    ['a transaction that took too long', failure('25P04', 'FATAL'), 'answered'],
    ['a statement that the session does not know', failure('26000'), 'answered'],
    ['a statement that another session prepared', failure('42P05'), 'answered'],
  ])('a failed statement loses its connection, and is unavailable: %s', (_case, error, said) => {
    expect([isLost(error), classify(error), toStoreError(error)]).toMatchObject([
      true,
      said,
      { code: 'SERVICE_UNAVAILABLE' },
    ])
  })

  test.each([
    ['a deadlock', failure('40P01')],
    ['a full disk', failure('53100')],
    ['a statement that took too long', failure('57014')],
  ])('a failed statement keeps its connection, and is unavailable: %s', (_case, error) => {
    expect([isLost(error), toStoreError(error)]).toMatchObject([false, { code: 'SERVICE_UNAVAILABLE' }])
  })

  test('a failed statement with a mistake of ours is reported as it is', () => {
    const error = failure('42601')
    expect([isLost(error), classify(error), toStoreError(error)]).toEqual([false, 'answered', error])
  })
})
