import { describe, expect, test } from 'vitest'
import { leastRoles, projectCallers, refusalInProject, testProject, operations } from '@fairlead/testing/workspace'
import { testCore } from '@fairlead/testing'
import type { Credentials } from '../runtime/access.ts'
import type { Operation } from '../runtime/operation.ts'

async function world() {
  const given = await testCore()
  const { credentials } = await testProject(given)
  return { core: given.core, credentials }
}

describe('access to operations in a project', () => {
  test('access to operations in a project is specified for every operation', () => {
    expect(Object.keys(leastRoles).toSorted()).toEqual(Object.keys(operations).toSorted())
  })

  test.each(Object.values<Operation>(operations).map((operation) => [operation.name, operation] as const))(
    '%s is allowed for the roles of its row, and rejects all others before it reads the input',
    async (_name, operation) => {
      const { core, credentials } = await world()
      const verdicts: Record<string, string | undefined> = {}
      const expected: Record<string, string | undefined> = {}
      for (const caller of projectCallers) {
        verdicts[caller] = await errorBeforeInput(core, operation, credentials[caller])
        expected[caller] = refusalInProject(operation, caller)
      }
      expect(verdicts).toEqual(expected)
    },
  )
})

async function errorBeforeInput(
  core: Awaited<ReturnType<typeof testCore>>['core'],
  operation: Operation,
  credentials: Credentials,
): Promise<string | undefined> {
  let wasRead = false
  const reply = await core.run(operation, credentials, () => {
    wasRead = true
    return { notAField: true }
  })
  if (wasRead || reply.success) return undefined
  return reply.error.code
}
