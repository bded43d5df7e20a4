import * as z from 'zod'
import { listedOwner, dateTime, instant, parseInstant, namedObject, toInstant } from '@fairlead/core/feature'
import type { ChainedEntry } from './audit-store.ts'
import { list } from './services.ts'

const fields = z.record(z.string(), z.unknown()).nullable()

const auditEntry = namedObject('AuditEntry', 'A change, or a failed sign-in.', {
  id: z.string().describe('Entry id: `aud_` and digits.'),
  createdAt: instant.describe('When it happened.'),
  action: z.string().describe('The operation, such as `createApiKey`.'),
  outcome: z.string().describe('`ok`, or the error code of a failed sign-in.'),
  actor: z
    .string()
    .nullable()
    .describe(
      'The user who did it, the project for one of its API keys, `operator` for the operator of the service, or `service` for the service itself. Null if it is not known.',
    ),
  credential: z.string().nullable().describe('Id of the API key or session. Null for other credentials.'),
  projectId: z.string().nullable().describe('The project to which the target belongs. Null for all others.'),
  target: z
    .object({
      type: z.string().describe('Its type, such as `user`, `api_key`, `webhook` or `session`.'),
      id: z.string().nullable().describe('Its id. Null for a sign-in with an unknown email address.'),
    })
    .meta({ id: 'AuditTarget', description: 'The record that was changed.' })
    .describe('The record that was changed.'),
  before: fields.describe('The fields that changed, in snake_case, before the change. Null for what did not exist.'),
  after: fields.describe('The same fields after the change. Null for what was removed.'),
  address: z.string().nullable().describe('The network address of the caller. Null if there is none.'),
  requestId: z.string().nullable().describe('The request: `req_` and digits. Null if there was none.'),
})

const id = z.string().max(64).optional()

/** Entries are never changed, and removed only by retention. */
export const listAudit = list({
  name: 'auditLog',
  summary:
    'Lists the entries of the audit log: changes, and sign-ins. Admins and owners of a project, in it, list those of the project.',
  access: { scope: 'audit', role: 'admin', inProject: 'admin' },
  metered: false,
  rest: { method: 'GET', path: '/audit' },
  graphql: { query: 'auditLog' },
  filters: {
    actor: id.describe('Only what this user did, `operator`, or `service`.'),
    credential: id.describe('Only what was done with this API key, or in this session.'),
    action: id.describe('Only this operation, such as `createApiKey`.'),
    outcome: id.describe('Only entries with this outcome: `ok`, or an error code.'),
    projectId: id.describe('Only what belongs to this project.'),
    target: id.describe('Only what was done to the record with this id.'),
    createdAfter: dateTime.optional().describe('Only entries after this time.'),
    createdBefore: dateTime.optional().describe('Only entries before this time.'),
  },
  record: auditEntry,
  async find({ stores, auditReads }, call, asked, slice) {
    const { caller } = call
    const { target, createdAfter, createdBefore, projectId: _asked, ...filters } = asked
    const projectId = listedOwner(caller, asked.projectId)
    if (projectId === null) return []
    if (caller.kind === 'account' && auditReads.admits(caller.credential.id, slice.after === undefined)) {
      call.audit({ target: { type: 'audit_log', id: null }, owner: projectId, after: asked })
    }
    return stores.read((view) =>
      view.audit.list(
        {
          ...filters,
          projectId,
          targetId: target,
          createdAfter: parseInstant(createdAfter),
          createdBefore: parseInstant(createdBefore),
        },
        slice,
      ),
    )
  },
  show: toRecord,
})

function toRecord(entry: ChainedEntry): z.output<typeof auditEntry> {
  const { createdAt, targetType, targetId, before, after, ...facts } = entry
  const { month: _month, number: _number, hash: _hash, keyId: _keyId, mac: _mac, ...rest } = facts
  return {
    ...rest,
    createdAt: toInstant(createdAt),
    target: { type: targetType, id: targetId },
    before: before && { ...before },
    after: after && { ...after },
  }
}
