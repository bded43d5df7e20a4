import { stripVTControlCharacters } from 'node:util'
import { afterEach, describe, expect, test } from 'vitest'
import { findFailing, runForVariant } from './run-sample.ts'
import { sampleVariants, variants } from './sample-variants.ts'
import { badFraming } from './zoo/bad-framing.ts'
import { badJobs } from './zoo/bad-jobs.ts'
import { badOutcomes } from './zoo/bad-outcomes.ts'
import { badRequests } from './zoo/bad-requests.ts'
import { badStreams } from './zoo/bad-streams.ts'
import { badTokens } from './zoo/bad-tokens.ts'

const zoo = [...badRequests, ...badFraming, ...badStreams, ...badTokens, ...badJobs, ...badOutcomes]

/** A failed assertion of a test, or the start of the rejection that it did not expect. */
function findingIn(error: unknown, rejection: string | undefined): string {
  const { name, message } = error as Error
  const isAssertion = name === 'AssertionError' || stripVTControlCharacters(message).includes('expect(received)')
  if (isAssertion || message.includes('has not settled its call')) return assertion
  return rejection !== undefined && message.startsWith(rejection) ? rejection : message
}

const assertion = 'a failed assertion'

describe('the provider suite', () => {
  afterEach(() => void process.removeAllListeners('beforeExit'))

  test('the provider suite has 50 bad providers or more, each with another fault', () => {
    expect(new Set(zoo.map(({ fault }) => fault)).size).toBe(zoo.length)
    expect(zoo.length).toBeGreaterThanOrEqual(50)
  })

  test.each(zoo)(
    'the provider suite finds a provider that $fault ($variant)',
    async ({ variant, title, make, rejection }) => {
      const error: unknown = await runForVariant(variants[variant], title, make).catch((caught: unknown) => caught)
      expect(findingIn(error, rejection)).toBe(rejection ?? assertion)
      expect(await runForVariant(variants[variant], title, variants[variant].make)).toBeUndefined()
    },
  )

  test.each(sampleVariants)('the provider suite passes for the $name', async (variant) => {
    expect(await findFailing(variant, variant.make)).toEqual([])
  })
})
