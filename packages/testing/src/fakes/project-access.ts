import type { ProjectRole } from '@fairlead/core/stores'
import type { Operation } from '@fairlead/core'
import type { operations } from './own-declarations.ts'

/** The roles of the members of a project, in ascending order. */
export const projectRoles = ['viewer', 'developer', 'admin', 'owner'] as const satisfies readonly ProjectRole[]

/**
 * The callers that may use an operation in a project: members with at least this role, `everyone`, because it needs no
 * credential, or `nobody`, because it is for the admins of the service, who call it outside of projects.
 */
type Least = ProjectRole | 'everyone' | 'nobody'

export const leastRoles: Readonly<Record<keyof typeof operations, Least>> = {
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
  passkeyLoginOptions: 'everyone',
  loginWithPasskey: 'everyone',
  signInWithIdentity: 'nobody',
  endIdentitySessions: 'nobody',
  // About the user who acts.
  sessions: 'viewer',
  endSession: 'viewer',
  passkeys: 'viewer',
  passkeyOptions: 'viewer',
  addPasskey: 'viewer',
  updatePasskey: 'viewer',
  removePasskey: 'viewer',
  users: 'viewer',
  user: 'viewer',
  updateUser: 'viewer',
  patchUser: 'viewer',
  sendEmailVerification: 'viewer',
  verifyEmail: 'viewer',
  createUser: 'nobody',
  deleteUser: 'nobody',
  removePasskeys: 'nobody',
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

export const projectCallers = [
  ...projectRoles,
  'service admin',
  'stranger',
  'key',
  'foreign key',
  'personal key',
] as const

/** The code of the error of an operation before it reads its input; undefined if the caller is allowed. */
export function refusalInProject(
  { name, access }: Operation,
  caller: (typeof projectCallers)[number],
): string | undefined {
  const least = leastRoles[name as keyof typeof leastRoles]
  if (least === 'everyone') return undefined
  if (caller === 'stranger') return 'NOT_FOUND'
  if (caller === 'foreign key' || caller === 'personal key') return 'FORBIDDEN'
  if (least === 'nobody') return 'FORBIDDEN'
  if (caller === 'key') {
    if ('sessionOnly' in access) return 'FORBIDDEN'
    const ofUsers = 'scope' in access && ['users', 'projects', 'audit'].includes(access.scope)
    return ofUsers ? 'FORBIDDEN' : undefined
  }
  const role = caller === 'service admin' ? 'owner' : caller
  return projectRoles.indexOf(role) >= projectRoles.indexOf(least) ? undefined : 'FORBIDDEN'
}
