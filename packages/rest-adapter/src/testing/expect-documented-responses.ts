import { expect, onTestFinished } from 'vitest'
import { watchResponses, type WatchOptions } from './watch-responses.ts'

/**
 * Compares every response of the server on a port with the committed OpenAPI document. The test fails for an undocumented
 * status, field, or media type, and for a missing required header.
 */
export function expectDocumentedResponses(port: number, options?: WatchOptions): void {
  const responses = watchResponses(port, options)
  onTestFinished(() => {
    responses.stop()
    expect(responses.violations).toEqual([])
  })
}
