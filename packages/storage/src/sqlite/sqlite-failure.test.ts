import { describe, expect, test } from 'vitest'
import { isBusy, toStoreError } from './sqlite-failure.ts'

const withCode = (errcode: number) => Object.assign(new Error('it broke'), { errcode })

describe('toStoreError', () => {
  test.each([
    ['locked by another process', 5],
    ['locked during the recovery of its log', 261],
    ['full', 13],
    ['on a disk that fails', 10],
    ['on a disk that fails to sync', 1034],
    ['read-only', 8],
    ['out of file handles', 14],
    ['out of memory', 7],
    ['opened by several processes at once', 15],
    ['damaged', 11],
    ['damaged in an index', 779],
    ['replaced by another file', 26],
  ])('toStoreError maps a database that is %s to SERVICE_UNAVAILABLE', (_case, code) => {
    const error = withCode(code)
    expect(toStoreError(error)).toMatchObject({ code: 'SERVICE_UNAVAILABLE', retryAfterMs: 1000, cause: error })
  })

  test.each([
    ['a mistake in our SQL', withCode(1)],
    ['a broken constraint', withCode(2067)],
    ['an error of our own', new Error('no')],
    ['something that is no error', 'no'],
  ])('toStoreError returns %s unchanged', (_case, error) => {
    expect(toStoreError(error)).toBe(error)
  })

  test('toStoreError is busy only while another process holds the file', () => {
    expect([5, 6, 15, 261, 517].map((code) => isBusy(withCode(code)))).toEqual([true, true, true, true, true])
    expect([1, 10, 11, 13].map((code) => isBusy(withCode(code)))).toEqual([false, false, false, false])
  })
})
