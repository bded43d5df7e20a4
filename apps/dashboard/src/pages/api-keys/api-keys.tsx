import { keepPreviousData } from '@tanstack/react-query'
import { Outlet, useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { Button } from '../../components/button.tsx'
import { DataTable } from '../../components/data-table.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { KeyRound, Plus } from '../../components/icons.tsx'
import { Paging } from '../../components/paging.tsx'
import { SearchField } from '../../components/search-field.tsx'
import { Select } from '../../components/select.tsx'
import { createdOrder } from '../../components/sort.ts'
import { useFilters } from '../../filters.ts'
import { PageLayout } from '../../layout/page-layout.tsx'
import type { ApiKey } from './api-key.ts'
import { CreateKeyDialog } from './create-key-dialog.tsx'
import { EditKeyDialog } from './edit-key-dialog.tsx'
import { keyColumns } from './key-columns.tsx'
import { KeySheet } from './key-sheet.tsx'
import { apiKeyRoute, apiKeysRoute } from './page.ts'
import { RevokeKeyDialog } from './revoke-key-dialog.tsx'
import { RotateKeyDialog } from './rotate-key-dialog.tsx'

const statusOptions = [
  { value: 'active', label: 'Active' },
  { value: 'expired', label: 'Expired' },
  { value: 'revoked', label: 'Revoked' },
  { value: 'any', label: 'Any' },
] as const

type Action = { readonly kind: 'create' } | { readonly kind: 'edit' | 'rotate' | 'revoke'; readonly key: ApiKey }

export function ApiKeys() {
  const [{ search, status = 'active', sort, cursor }, setFilters] = useFilters(apiKeysRoute)
  const { keyId: opened } = useParams({ strict: false })
  const [action, setAction] = useState<Action>()
  const keys = api.useQuery(
    'get',
    '/api-keys',
    {
      params: {
        query: { limit: 50, sort, search, status: status === 'any' ? undefined : status, cursor },
      },
    },
    { placeholderData: keepPreviousData },
  )
  const usage = api.useQuery('get', '/usage')
  const used = new Map(usage.data?.data.credentials.map((credential) => [credential.id, credential]))
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
      description="Programs authenticate with an API key. Each key has only the permissions that you give it, and limits of its own."
      actions={create}
    >
      <div className="flex flex-wrap items-center gap-2">
        <SearchField
          label="Search keys"
          value={search ?? ''}
          onChange={(next) => setFilters({ search: withoutSecret(next) })}
        />
        <Select
          label="Status"
          showLabel
          value={status}
          options={statusOptions}
          onChange={(next) => setFilters({ status: next === 'active' ? undefined : next })}
        />
      </div>
      <DataTable
        label="API keys"
        columns={keyColumns({
          usageOf: (key) => used.get(key.id),
          onEdit: (key) => setAction({ kind: 'edit', key }),
          onRotate: (key) => setAction({ kind: 'rotate', key }),
          onRevoke: (key) => setAction({ kind: 'revoke', key }),
        })}
        rows={keys.data?.data}
        rowKey={({ id }) => id}
        selectedKey={opened}
        order={createdOrder(sort, setFilters)}
        stale={keys.isPlaceholderData}
        error={keys.error}
        onRetry={() => void keys.refetch()}
        empty={
          search === undefined && status === 'active' ? (
            <EmptyState icon={KeyRound} title="No active API keys" action={create}>
              Create a key to call the API from your programs.
            </EmptyState>
          ) : (
            <EmptyState
              icon={KeyRound}
              title="No API key matches"
              action={
                <Button onClick={() => setFilters({ search: undefined, status: undefined })}>Clear the filters</Button>
              }
            >
              Search for a part of the name or of the first ten characters of the secret.
            </EmptyState>
          )
        }
        footer={<Paging page={keys.data?.meta.page} />}
      />
      <Outlet />
      {action?.kind === 'create' && <CreateKeyDialog onClose={close} />}
      {action?.kind === 'edit' && <EditKeyDialog apiKey={action.key} onClose={close} />}
      {action?.kind === 'rotate' && <RotateKeyDialog apiKey={action.key} onClose={close} />}
      {action?.kind === 'revoke' && <RevokeKeyDialog apiKey={action.key} onClose={close} />}
    </PageLayout>
  )
}

/** The key that the URL names, over the list. */
export function OpenKey() {
  const { keyId } = apiKeyRoute.useParams()
  const navigate = useNavigate()
  const [editing, setEditing] = useState<ApiKey>()
  return (
    <>
      <KeySheet
        id={keyId}
        onClose={() => void navigate({ to: '/api-keys', search: true, resetScroll: false })}
        onEdit={setEditing}
      />
      {editing && <EditKeyDialog apiKey={editing} onClose={() => setEditing(undefined)} />}
    </>
  )
}

/** Keeps the prefix of a secret that someone searches for, so that the secret does not stay in the URL. */
function withoutSecret(search: string): string {
  return search.startsWith('fl_') ? search.slice(0, 10) : search
}
