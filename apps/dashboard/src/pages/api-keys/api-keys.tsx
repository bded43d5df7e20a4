import { keepPreviousData } from '@tanstack/react-query'
import { KeyRound, Plus } from 'lucide-react'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { Button } from '../../components/button.tsx'
import { DataTable } from '../../components/data-table.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { Paging } from '../../components/paging.tsx'
import { Segmented } from '../../components/segmented.tsx'
import { anyText, oneOf, useFilters } from '../../filters.ts'
import { PageLayout } from '../../layout/page-layout.tsx'
import { useUser } from '../../session/use-session.ts'
import { type ApiKey, keyStatus } from './api-key.ts'
import { CreateKeyDialog } from './create-key-dialog.tsx'
import { keyColumns } from './key-columns.tsx'
import { RevokeKeyDialog } from './revoke-key-dialog.tsx'
import { RotateKeyDialog } from './rotate-key-dialog.tsx'

const readers = { show: oneOf(['usable', 'all']), cursor: anyText }

type Action = { readonly kind: 'create' } | { readonly kind: 'rotate' | 'revoke'; readonly key: ApiKey }

export function ApiKeys() {
  const { email } = useUser()
  const [{ show = 'usable', cursor }, setFilters] = useFilters(readers)
  const [action, setAction] = useState<Action>()
  const keys = api.useQuery(
    'get',
    '/api-keys',
    { params: { query: { limit: 50, sort: '-created_at', cursor } } },
    { placeholderData: keepPreviousData },
  )
  const usage = api.useQuery('get', '/usage')
  const used = new Map(usage.data?.data.credentials.map((credential) => [credential.id, credential]))
  const rows = keys.data?.data.filter((key) => show === 'all' || keyStatus(key) !== 'revoked')
  const close = () => setAction(undefined)
  const create = (
    <Button variant="primary" onClick={() => setAction({ kind: 'create' })}>
      <Plus aria-hidden className="size-4" />
      Create key
    </Button>
  )

  return (
    <PageLayout
      title="API keys"
      description="Programs authenticate with an API key. Each key has its own monthly quota, and only the permissions that you give it."
      actions={create}
    >
      <div className="flex flex-wrap items-center gap-2">
        <Segmented
          label="Keys to show"
          value={show}
          options={[
            { value: 'usable', label: 'Active' },
            { value: 'all', label: 'Including revoked' },
          ]}
          onChange={(next) => setFilters({ show: next === 'usable' ? undefined : next })}
        />
      </div>
      <DataTable
        label="API keys"
        columns={keyColumns({
          owner: email,
          usageOf: (key) => used.get(key.id),
          onRotate: (key) => setAction({ kind: 'rotate', key }),
          onRevoke: (key) => setAction({ kind: 'revoke', key }),
        })}
        rows={rows}
        rowKey={({ id }) => id}
        stale={keys.isPlaceholderData}
        error={keys.error}
        onRetry={() => void keys.refetch()}
        empty={
          <EmptyState icon={KeyRound} title="No active API keys" action={create}>
            Create a key to call the API from your programs.
          </EmptyState>
        }
        footer={<Paging page={keys.data?.meta.page} />}
      />
      {action?.kind === 'create' && <CreateKeyDialog onClose={close} />}
      {action?.kind === 'rotate' && <RotateKeyDialog apiKey={action.key} onClose={close} />}
      {action?.kind === 'revoke' && <RevokeKeyDialog apiKey={action.key} onClose={close} />}
    </PageLayout>
  )
}
