import { z } from 'zod'
import { visibleOwner } from '../../runtime/access.ts'
import { errorCodes, FairleadError } from '../../runtime/errors.ts'
import { dateTime, instantOf } from '../../runtime/schema/field-schemas.ts'
import { isId } from '../../runtime/id.ts'
import { openPage, pageInput } from '../../runtime/schema/paging.ts'
import { positionOf } from '../../runtime/quota/usage.ts'
import { findRequests } from '../loaders.ts'
import { requestRecord, toRequestRecord, visibleRequests } from './request.ts'
import { read } from '../services.ts'

/** Maximum number of records that a page with filters examines. */
const maxExamined = 10_000

const statuses: readonly string[] = ['ok', 'error', 'partial', 'aborted', ...errorCodes]

export const listRequests = read({
  name: 'requests',
  summary: 'Lists metered requests of the last 90 days: the caller’s own, or all of them for an admin.',
  access: { scope: 'usage' },
  metered: false,
  rest: { method: 'GET', path: '/requests' },
  graphql: { query: 'requests' },
  input: z.strictObject({
    ...pageInput,
    requestId: z.string().max(64).optional().describe('Only operations of this request.'),
    keyId: z.string().max(64).optional().describe('Only requests with this API key, or `sessions` for access tokens.'),
    model: z.string().max(256).optional().describe('Only requests to this model.'),
    operation: z.string().max(64).optional().describe('Only this operation, such as `generate`.'),
    status: z
      .string()
      .refine((status) => statuses.includes(status), {
        error: 'must be "ok", "error", "partial", "aborted", or an error code',
      })
      .optional()
      .describe(
        'Only requests with this status: `ok`, `partial`, `aborted`, an error code, or `error` for all but `ok`.',
      ),
    userId: z.string().max(64).optional().describe('Only requests of this user.'),
    createdAfter: dateTime.optional().describe('Only requests after this time.'),
    createdBefore: dateTime.optional().describe('Only requests before this time.'),
  }),
  output: z.array(requestRecord),
  paged: true,
  prepare: (_services, _call, input) => openPage('requests', input),
  async run({ stores }, call, { filters, slice, show }) {
    const only = visibleOwner(call.caller)
    const { userId = only, keyId, createdAfter, createdBefore, ...others } = filters
    if (only !== undefined && userId !== only) return show(call, []).map(toRequestRecord)
    const { records, examinedTo } = await stores.read((view) =>
      view.usage.list(
        { ...others, userId, credential: keyId, after: instantOf(createdAfter), before: instantOf(createdBefore) },
        slice,
        maxExamined,
      ),
    )
    const found = records.map((record) => ({ ...record, ...positionOf(record) }))
    return show(call, found, examinedTo).map(toRequestRecord)
  },
})

export const getRequest = read({
  name: 'request',
  summary: 'Returns a metered request.',
  access: { scope: 'usage' },
  metered: false,
  rest: { method: 'GET', path: '/requests/{id}' },
  graphql: { query: 'request', node: { prefix: 'run', loader: findRequests } },
  input: z.strictObject({
    id: z
      .string()
      .describe(
        'Id of the record, or of the request: `req_` and digits. A request has a record for each operation; the first is returned.',
      ),
  }),
  output: requestRecord,
  errors: ['NOT_FOUND'],
  async run({ stores }, { caller }, { id }) {
    const found = await stores.read(({ usage }) => (isId(id, 'run') ? usage.findMany([id]) : usage.ofRequest(id)))
    const [first] = visibleRequests(caller, found).toSorted((one, other) => (one.runId < other.runId ? -1 : 1))
    if (!first) throw new FairleadError('NOT_FOUND', 'Request not found.')
    return toRequestRecord(first)
  },
})
