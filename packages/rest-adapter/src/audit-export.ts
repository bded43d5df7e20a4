import { FairleadError, type Operation } from '@fairlead/core'
import { bearerCredentials, possibleErrors, type FairleadCore, toSnakeCase, wireNames } from '@fairlead/core/adapter'
import { invalid, parseQuery } from '@fairlead/http'
import type { Page, PageDescription } from './pages.ts'

const describe = (list: Operation): PageDescription => ({
  operationId: 'auditExport',
  summary: 'Returns all entries of the audit log that match, as CSV or as one JSON object per line.',
  description: 'Needs the scope `audit`. For users of the role `admin`. Free of charge.',
  secured: true,
  parameters: [
    {
      name: 'format',
      in: 'query',
      description: 'The format. Default: `csv`.',
      schema: { type: 'string', enum: ['csv', 'ndjson'] },
    },
    ...readFilters(list).map(([name, schema]) => ({
      name: toSnakeCase(name),
      in: 'query' as const,
      description: schema.description ?? '',
      schema: { type: 'string' as const },
    })),
  ],
  errors: possibleErrors(list).filter((code) => code !== 'INTERNAL_ERROR'),
  responses: {
    200: {
      description: 'The entries. A failure on the way closes the connection before the end.',
      content: { 'text/csv': { schema: { type: 'string' } }, 'application/x-ndjson': { schema: { type: 'string' } } },
    },
  },
})

function readFilters({ input }: Operation) {
  return Object.entries(input.shape).filter(([name]) => name !== 'limit' && name !== 'cursor')
}

/** `GET /audit/export`: all pages of `GET /audit`, one after the other. None if the core has no audit log. */
export function auditExport(core: FairleadCore): readonly Page[] {
  const list = core.operations.find(isAuditLog)
  if (!list) return []
  const input = wireNames(list.input)
  const output = wireNames(list.output)
  return [
    {
      path: '/audit/export',
      description: describe(list),
      async respond(exchange) {
        const { request, requestId, address } = exchange
        const { format = 'csv', ...asked } = parseQuery(request.search)
        if (format !== 'csv' && format !== 'ndjson') throw invalid('format', 'must be "csv" or "ndjson"')
        for (const name of ['limit', 'cursor']) {
          if (name in asked) throw invalid(name, 'is not possible here: an export has all entries')
        }
        const { authorization, 'x-fairlead-project': project } = request.headers
        const credentials = bearerCredentials(authorization, project?.toString())
        const read = (cursor?: string) =>
          core.run(
            list,
            credentials,
            input.readText({ ...asked, limit: '100', ...(cursor !== undefined && { cursor }) }),
            {
              requestId,
              address,
              spell: input.spell,
              onCall: (call) => void (exchange.call = call),
            },
          )
        const first = await read()
        if (!first.success) return first
        const { type, head, write } = forms[format]
        async function* parts() {
          yield head
          for (let page = first; ;) {
            if (!page.success) throw new FairleadError(page.error.code, page.error.message)
            yield (output.write(page.data) as Row[]).map(write).join('')
            const next = page.meta.page?.nextCursor
            if (!next) return
            page = await read(next)
          }
        }
        return {
          status: 200,
          headers: {
            'Content-Type': `${type}; charset=utf-8`,
            'Content-Disposition': `attachment; filename="fairlead-audit.${format}"`,
            'Cache-Control': 'no-store',
            'X-Content-Type-Options': 'nosniff',
          },
          ...(request.method !== 'HEAD' && { body: { parts: parts() } }),
        }
      },
    },
  ]
}

function isAuditLog(operation: Operation): operation is Extract<Operation, { kind: 'read' }> {
  return operation.name === 'auditLog' && operation.rest?.path === '/audit'
}

/** An entry on the wire. */
type Row = Readonly<Record<string, unknown>> & {
  readonly target: { readonly type: string; readonly id: string | null }
}

const columns: readonly (readonly [name: string, read: (row: Row) => unknown])[] = [
  ...['id', 'created_at', 'action', 'outcome', 'actor', 'credential'].map(column),
  ['target_type', ({ target }) => target.type],
  ['target_id', ({ target }) => target.id],
  ...['before', 'after', 'address', 'request_id', 'project_id'].map(column),
]

function column(name: string): readonly [name: string, read: (row: Row) => unknown] {
  return [name, (row) => row[name]]
}

const forms = {
  csv: {
    type: 'text/csv',
    head: csvLine(columns.map(([name]) => name)),
    write: (row: Row) => csvLine(columns.map(([, read]) => read(row))),
  },
  ndjson: { type: 'application/x-ndjson', head: '', write: (row: Row) => `${JSON.stringify(row)}\n` },
} as const

/** A line of RFC 4180. Spreadsheets would run a text that begins with one of these characters as a formula. */
function csvLine(values: readonly unknown[]): string {
  const cells = values.map((value) => {
    const text = typeof value === 'string' ? value : value === null ? '' : JSON.stringify(value)
    const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
    return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
  })
  return `${cells.join(',')}\r\n`
}
