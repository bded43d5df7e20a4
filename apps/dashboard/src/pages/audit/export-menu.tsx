import { useState } from 'react'
import { sendAuthorized } from '../../api/client.ts'
import { Button } from '../../components/button.tsx'
import { Download } from '../../components/icons.tsx'
import { Menu } from '../../components/menu.tsx'
import { toastError } from '../../components/toast.tsx'
import { download } from '../../download.ts'
import { serviceUrl } from '../../home.ts'

const formats = {
  csv: { label: 'CSV, for spreadsheets', type: 'text/csv' },
  ndjson: { label: 'NDJSON, a JSON object per line', type: 'application/x-ndjson' },
} as const
type Format = keyof typeof formats

export interface ExportMenuProps {
  /** The filters as the API takes them. */
  readonly query: Readonly<Record<string, string | undefined>>
}

/** Saves all entries that match the filters as a file. */
export function ExportMenu({ query }: ExportMenuProps) {
  const [busy, setBusy] = useState(false)
  async function save(format: Format) {
    setBusy(true)
    try {
      download(`fairlead-audit.${format}`, formats[format].type, await exportAudit(format, query))
    } catch (error) {
      toastError('The audit log could not be exported', error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <Menu
      trigger={
        <Button busy={busy}>
          <Download aria-hidden className="size-4" />
          Export
        </Button>
      }
      items={Object.entries(formats).map(([format, { label }]) => ({
        label,
        onSelect: () => void save(format as Format),
      }))}
    />
  )
}

async function exportAudit(format: Format, query: ExportMenuProps['query']): Promise<Blob> {
  const filters = Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== undefined)
  const search = new URLSearchParams([['format', format], ...filters])
  const response = await sendAuthorized(new Request(`${serviceUrl}/audit/export?${search.toString()}`))
  if (!response.ok) throw await response.json()
  return response.blob()
}
