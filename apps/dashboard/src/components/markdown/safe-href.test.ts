import { describe, expect, test } from 'vitest'
import { safeHref } from './safe-href.ts'

describe('safeHref', () => {
  test.each(['https://example.com/a?b#c', 'http://example.com/', 'mailto:ada@example.com'])(
    'safeHref allows %s',
    (href) => {
      expect(safeHref(href)).toBe(href)
    },
  )

  test.each([
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    ' java\nscript:alert(1)',
    'data:text/html,x',
    'vbscript:x',
    'blob:https://example.com/x',
    '/logout',
    '//example.com/',
    '',
  ])('safeHref rejects %j', (href) => {
    expect(safeHref(href)).toBeUndefined()
  })
})
