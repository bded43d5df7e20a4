import { operations } from '@fairlead/testing/workspace'
import { describe, expect, test } from 'vitest'
import { buildSchema } from './build-schema.ts'

const deprecated = { since: '2027-01-31', sunset: '2028-01-31', instead: 'usageTimeseries' }

/** The root fields of a schema with one deprecated operation and one that is not deprecated. */
function rootFields() {
  const schema = buildSchema({
    operations: [{ ...operations.usage, deprecated }, operations.logout],
    scopes: {},
    edges: {},
  })
  return { ...schema.getQueryType()?.getFields(), ...schema.getMutationType()?.getFields() }
}

describe('a root field', () => {
  test('a root field is deprecated when its operation is, and names the replacement', () => {
    expect(rootFields()['usage']?.deprecationReason).toBe(
      'Deprecated since 2027-01-31, removed on 2028-01-31: use usageTimeseries instead.',
    )
  })

  test('a root field is not deprecated when its operation is not', () => {
    expect(rootFields()['logout']?.deprecationReason).toBeFalsy()
  })
})
