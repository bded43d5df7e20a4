import { Link, linkOptions } from '@tanstack/react-router'
import type { components } from '../../api/schema.d.ts'
import { Badge } from '../../components/badge.tsx'
import { createdColumn } from '../../components/created-column.tsx'
import type { Column } from '../../components/data-table.tsx'
import { IconButton } from '../../components/icon-button.tsx'
import { Ban, Ellipsis, Pencil, RefreshCw, ScrollText } from '../../components/icons.tsx'
import { Menu } from '../../components/menu.tsx'
import { ProgressBar } from '../../components/progress-bar.tsx'
import { TimeAgo } from '../../components/time-ago.tsx'
import { formatNumber } from '../../format.ts'
import { type ApiKey, keyStatus } from './api-key.ts'
import { describeLimits } from './key-limits.ts'
import { KeyStatus } from './key-status.tsx'

type CredentialUsage = components['schemas']['CredentialUsage']

export interface KeyColumnsOptions {
  usageOf(key: ApiKey): CredentialUsage | undefined
  onEdit(key: ApiKey): void
  onRotate(key: ApiKey): void
  onRevoke(key: ApiKey): void
}

export function keyColumns({ usageOf, onEdit, onRotate, onRevoke }: KeyColumnsOptions): readonly Column<ApiKey>[] {
  return [
    {
      id: 'name',
      header: 'Name',
      cell: (key) => (
        <div className="py-1.5">
          <div className="flex items-center gap-2">
            <Link
              to="/api-keys/$keyId"
              params={{ keyId: key.id }}
              search={true}
              resetScroll={false}
              className="max-w-44 truncate rounded-sm font-medium hover:text-accent-strong sm:max-w-56"
            >
              {key.name}
            </Link>
            {keyStatus(key) !== 'active' && <KeyStatus apiKey={key} />}
          </div>
          <KeyLimits limits={describeLimits(key)} />
          {/* Phones have no room for the column of the secret. */}
          <code className="font-mono text-xs text-muted sm:hidden">{key.prefix}…</code>
        </div>
      ),
    },
    {
      id: 'secret',
      header: 'Secret',
      from: 'sm',
      cell: (key) => <code className="font-mono text-xs text-muted">{key.prefix}…</code>,
    },
    {
      id: 'scopes',
      header: 'Permissions',
      from: 'lg',
      cell: ({ scopes }) => (
        <span className="flex items-center gap-1">
          {scopes.slice(0, 3).map((scope) => (
            <Badge key={scope}>{scope}</Badge>
          ))}
          {scopes.length > 3 && (
            <span className="inline-flex" title={scopes.join(', ')}>
              <Badge>+{scopes.length - 3}</Badge>
            </span>
          )}
        </span>
      ),
    },
    createdColumn({ from: 'lg' }),
    {
      id: 'use',
      header: 'This month',
      align: 'end',
      cell: (key) => <MonthlyUse usage={usageOf(key)} name={key.name} />,
    },
    {
      id: 'last used',
      header: 'Last used',
      from: 'md',
      cell: ({ last_used_at }) => (
        <span className="text-muted">{last_used_at === null ? 'Never' : <TimeAgo at={last_used_at} />}</span>
      ),
    },
    {
      id: 'expires',
      header: 'Expires',
      from: 'lg',
      cell: ({ expires_at }) => (
        <span className="text-muted">{expires_at === null ? 'Never' : <TimeAgo at={expires_at} />}</span>
      ),
    },
    {
      id: 'actions',
      header: 'Actions',
      hideHeader: true,
      align: 'end',
      cell: (key) => (
        <Menu
          trigger={<IconButton icon={Ellipsis} label={`Actions for ${key.name}`} size="sm" />}
          items={[
            {
              label: 'Show requests',
              icon: ScrollText,
              link: linkOptions({ to: '/requests', search: { key: key.id } }),
            },
            ...(keyStatus(key) === 'active'
              ? [
                  { label: 'Edit key', icon: Pencil, onSelect: () => onEdit(key) },
                  { label: 'Rotate secret', icon: RefreshCw, onSelect: () => onRotate(key) },
                  { label: 'Revoke key', icon: Ban, danger: true, onSelect: () => onRevoke(key) },
                ]
              : []),
          ]}
        />
      ),
    },
  ]
}

function KeyLimits({ limits }: { readonly limits: readonly string[] }) {
  const text = limits.join(' · ')
  return text === '' ? null : (
    <p className="max-w-44 truncate text-xs text-muted sm:max-w-80" title={text}>
      {text}
    </p>
  )
}

function MonthlyUse({ usage, name }: { readonly usage: CredentialUsage | undefined; readonly name: string }) {
  if (!usage) return <span className="text-muted">–</span>
  const { used, limit } = usage
  return (
    <div className="ml-auto w-28">
      <span>{formatNumber(used)}</span>
      {limit !== null && <span className="text-muted"> / {formatNumber(limit)}</span>}
      {limit !== null && <ProgressBar label={`Units of ${name} used this month`} value={used} max={limit} />}
    </div>
  )
}
