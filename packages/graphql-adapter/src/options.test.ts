import { createFairlead } from '@fairlead/core'
import { describe, expect, test } from 'vitest'
import { graphqlAdapter } from './graphql-adapter.ts'

const fairlead = createFairlead({ providers: [] })

describe('graphqlAdapter', () => {
  test.each<[string, unknown, unknown]>([
    [
      'The first argument must be the core of what createFairlead returns: graphqlAdapter(fairlead.core)',
      undefined,
      {},
    ],
    ['introspektion: is not a known option; did you mean "introspection"?', fairlead.core, { introspektion: true }],
  ])('graphqlAdapter says: %s', (message, core, options) => {
    expect(() => graphqlAdapter(core as never, options as never)).toThrow(new TypeError(message))
  })
})
