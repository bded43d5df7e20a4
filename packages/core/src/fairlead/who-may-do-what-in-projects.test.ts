import { describe, expect, test } from 'vitest'
import { projectRoles, type Credentials, type ProjectRole } from '../runtime/access.ts'
import type { Operation } from '../runtime/operation.ts'
import { testProject } from '../fakes/test-project.ts'
import { testCore } from '../fakes/test-core.ts'
import { operations } from './operations.ts'

/**
 * Who may call an operation in a project: members with at least this role, `everyone`, because it needs no credential, or
 * `nobody`, because it is for the admins of the service, who call it outside of projects.
 */
type Least = ProjectRole | 'everyone' | 'nobody'

const table: Readonly<Record<keyof typeof operations, Least>> = {
  generate: 'developer',
  generateImage: 'developer',
  embed: 'developer',
  analyze: 'developer',
  countTokens: 'developer',
  models: 'viewer',
  model: 'viewer',
  analyzers: 'viewer',
  providers: 'nobody',
  signup: 'everyone',
  login: 'everyone',
  exchangeSignInToken: 'everyone',
  refresh: 'everyone',
  logout: 'everyone',
  signInWithIdentity: 'nobody',
  endIdentitySessions: 'nobody',
  // About the user who acts.
  sessions: 'viewer',
  endSession: 'viewer',
  users: 'viewer',
  user: 'viewer',
  updateUser: 'viewer',
  patchUser: 'viewer',
  createUser: 'nobody',
  deleteUser: 'nobody',
  apiKeys: 'viewer',
  apiKey: 'viewer',
  createApiKey: 'developer',
  updateApiKey: 'developer',
  revokeApiKey: 'developer',
  rotateApiKey: 'developer',
  // Their own checks follow the role in the project that they name.
  projects: 'viewer',
  project: 'viewer',
  createProject: 'viewer',
  updateProject: 'viewer',
  deleteProject: 'viewer',
  projectMembers: 'viewer',
  setProjectMember: 'viewer',
  removeProjectMember: 'viewer',
  projectInvitations: 'viewer',
  createInvitation: 'viewer',
  deleteInvitation: 'viewer',
  acceptInvitation: 'viewer',
  usage: 'viewer',
  usageTimeseries: 'viewer',
  requests: 'viewer',
  request: 'viewer',
  shipments: 'viewer',
  shipment: 'viewer',
  createShipment: 'developer',
  updateShipment: 'developer',
  patchShipment: 'developer',
  deleteShipment: 'developer',
  webhooks: 'viewer',
  webhook: 'viewer',
  createWebhook: 'developer',
  updateWebhook: 'developer',
  patchWebhook: 'developer',
  deleteWebhook: 'developer',
  rotateWebhookSecret: 'developer',
  testWebhook: 'developer',
  recoverWebhook: 'developer',
  deliveries: 'viewer',
  delivery: 'viewer',
  redeliver: 'developer',
  events: 'viewer',
  event: 'viewer',
  eventStream: 'viewer',
  auditLog: 'admin',
}

const callers = [...projectRoles, 'service admin', 'stranger', 'key', 'foreign key', 'personal key'] as const

/** The code of the error before the input is read; undefined if the operation goes on to read it. */
function verdict(least: Least, caller: (typeof callers)[number], { access }: Operation): string | undefined {
  if (least === 'everyone') return undefined
  if (caller === 'stranger') return 'NOT_FOUND'
  if (caller === 'foreign key' || caller === 'personal key') return 'FORBIDDEN'
  if (least === 'nobody') return 'FORBIDDEN'
  if (caller === 'key') {
    const ofUsers = 'scope' in access && ['users', 'projects', 'audit'].includes(access.scope)
    return ofUsers ? 'FORBIDDEN' : undefined
  }
  const role = caller === 'service admin' ? 'owner' : caller
  return projectRoles.indexOf(role) >= projectRoles.indexOf(least) ? undefined : 'FORBIDDEN'
}

async function world() {
  const given = await testCore()
  const { credentials } = await testProject(given)
  return { core: given.core, credentials }
}

describe('access to operations in a project', () => {
  test('is specified for every operation', () => {
    expect(Object.keys(table).toSorted()).toEqual(Object.keys(operations).toSorted())
  })

  test.each(Object.values<Operation>(operations).map((operation) => [operation.name, operation] as const))(
    '%s is allowed for the roles of its row, and rejects all others before it reads the input',
    async (name, operation) => {
      const { core, credentials } = await world()
      const verdicts: Record<string, string | undefined> = {}
      const expected: Record<string, string | undefined> = {}
      for (const caller of callers) {
        verdicts[caller] = await errorBeforeInput(core, operation, credentials[caller])
        expected[caller] = verdict(table[name as keyof typeof table], caller, operation)
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
