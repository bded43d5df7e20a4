import * as z from 'zod'
import { listedOwner, requireAccount, dateTime, parseInstant, isId } from '@fairlead/core/feature'
import { errorCodes, invalidRequest } from '@fairlead/core/adapter'
import { FairleadError } from '@fairlead/core'
import { usagePosition, type Position } from '@fairlead/core/stores'
import { findRequests } from '../loaders.ts'
import { requireAllUsersAllowed } from './whose-usage.ts'
import { type NamedRecord, requestRecord, toRequestRecord, visibleRequests, withNames } from './request.ts'
import { list, read } from '../services.ts'

/** Maximum number of records that a page with filters examines. */
const maxExamined = 10_000

const statuses: readonly string[] = ['ok', 'error', 'partial', 'aborted', ...errorCodes]

export const listRequests = list({
  name: 'requests',
  summary:
    'Lists metered requests, by default of the last 90 days, also those that were rejected: the caller’s own, or all of them for an admin.',
  access: { scope: 'usage' },
  metered: false,
  rest: { method: 'GET', path: '/requests' },
  graphql: { query: 'requests' },
  filters: {
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
    charged: z
      .boolean()
      .optional()
      .describe('Only requests that used a unit of the quota, or only those that did not.'),
    tag: z.string().max(64).optional().describe('Only requests with this tag.'),
    tagValue: z.string().max(128).optional().describe('Only requests with this value of the tag.'),
    userId: z.string().max(64).optional().describe('Only requests of this user or project.'),
    allUsers: z
      .boolean()
      .optional()
      .describe('For admins: whether to list the requests of all users. Default: true, unless `user_id` is given.'),
    createdAfter: dateTime.optional().describe('Only requests after this time.'),
    createdBefore: dateTime.optional().describe('Only requests before this time.'),
  },
  record: requestRecord,
  async find(
    { stores },
    { caller },
    { userId: named, allUsers, keyId, tag: name, tagValue: value, createdAfter, createdBefore, ...others },
    slice,
  ) {
    if (name === undefined && value !== undefined)
      throw invalidRequest({ field: 'tag', issue: 'is required with a value' })
    const tag = name === undefined ? undefined : { name, value }
    requireAllUsersAllowed(caller, { userId: named, allUsers })
    const asked = allUsers === false ? (named ?? requireAccount(caller).userId) : named
    const userId = listedOwner(caller, asked)
    if (userId === null) return []
    const { records, examinedTo } = await stores.read(async (view) => {
      const found = await view.usage.list(
        {
          ...others,
          tag,
          userId,
          credential: keyId,
          after: parseInstant(createdAfter),
          before: parseInstant(createdBefore),
        },
        slice,
        maxExamined,
      )
      return { ...found, records: await withNames(view, found.records) }
    })
    return { items: records.map((record) => ({ ...record, ...usagePosition(record) })), examinedTo }
  },
  show: (item: NamedRecord & Position) => toRequestRecord(item),
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
    const named = await stores.read(async (view) => {
      const found = await (isId(id, 'run') ? view.usage.findMany([id]) : view.usage.ofRequest(id))
      const sorted = visibleRequests(caller, found).toSorted((one, other) => (one.runId < other.runId ? -1 : 1))
      return withNames(view, sorted.slice(0, 1))
    })
    if (!named[0]) throw new FairleadError('NOT_FOUND', 'Request not found.')
    return toRequestRecord(named[0])
  },
})
