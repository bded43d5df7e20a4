import { createFairlead } from '@fairlead/core'
import { describe, expect, test } from 'vitest'
import { restAdapter } from './rest-adapter.ts'

const fairlead = createFairlead({ providers: [] })
const example = "restAdapter(fairlead.core, { service: { name: 'My service', version: '1.0.0', documents: {} } })"

describe('restAdapter', () => {
  test.each<[string, unknown, unknown]>([
    [`The first argument must be the core of what createFairlead returns: ${example}`, undefined, {}],
    [`The options must be an object: ${example}`, fairlead.core, undefined],
    [`service: is required: ${example}`, fairlead.core, {}],
    ['servce: is not a known option; did you mean "service"?', fairlead.core, { servce: {} }],
  ])('restAdapter rejects invalid arguments with: %s', (message, core, options) => {
    expect(() => restAdapter(core as never, options as never)).toThrow(new TypeError(message))
  })
})
