import { Link, linkOptions } from '@tanstack/react-router'
import { Badge } from '../../components/badge.tsx'
import { createdColumn } from '../../components/created-column.tsx'
import type { Column } from '../../components/data-table.tsx'
import { IconButton } from '../../components/icon-button.tsx'
import { Ban, CircleCheck, Ellipsis, History, Pencil, Trash2 } from '../../components/icons.tsx'
import { Menu } from '../../components/menu.tsx'
import { formatLabel } from '../../format.ts'
import { formatQuota, type User } from './user.ts'

export interface UserColumnsOptions {
  /** The id of the signed-in admin. */
  readonly ownId: string
  onEdit(user: User): void
  onSuspend(user: User): void
  onActivate(user: User): void
  onDelete(user: User): void
}

export function userColumns(options: UserColumnsOptions): readonly Column<User>[] {
  return [
    {
      id: 'user',
      header: 'User',
      cell: (user) => (
        <div className="max-w-44 py-1.5 sm:max-w-72">
          <p className="flex gap-1">
            <Link
              to="/users/$userId"
              params={{ userId: user.id }}
              search={true}
              resetScroll={false}
              className="truncate rounded-sm font-medium hover:text-accent-strong"
            >
              {user.name}
            </Link>
            {user.id === options.ownId && <span className="text-muted">(you)</span>}
          </p>
          <p className="truncate text-xs text-muted" title={user.email}>
            {user.email}
            {!user.email_verified && ' (not verified)'}
          </p>
        </div>
      ),
    },
    {
      id: 'status',
      header: 'Status',
      cell: ({ status }) => (
        <Badge tone={status === 'active' ? 'success' : 'danger'}>{status === 'active' ? 'Active' : 'Suspended'}</Badge>
      ),
    },
    {
      id: 'role',
      header: 'Role',
      from: 'sm',
      cell: ({ role }) => <Badge tone={role === 'admin' ? 'accent' : 'neutral'}>{formatLabel(role)}</Badge>,
    },
    { id: 'tier', header: 'Tier', from: 'md', cell: ({ tier }) => <Badge>{formatLabel(tier)}</Badge> },
    { id: 'quota', header: 'Units per month', align: 'end', from: 'md', cell: formatQuota },
    createdColumn({ from: 'lg' }),
    {
      id: 'actions',
      header: 'Actions',
      hideHeader: true,
      align: 'end',
      cell: (user) => <UserMenu user={user} options={options} />,
    },
  ]
}

function UserMenu({ user, options }: { readonly user: User; readonly options: UserColumnsOptions }) {
  const isOwn = user.id === options.ownId
  return (
    <Menu
      trigger={<IconButton icon={Ellipsis} label={`Actions for ${user.name}`} size="sm" />}
      items={[
        { label: 'Edit', icon: Pencil, onSelect: () => options.onEdit(user) },
        user.status === 'active'
          ? { label: 'Suspend', icon: Ban, disabled: isOwn, onSelect: () => options.onSuspend(user) }
          : { label: 'Activate', icon: CircleCheck, onSelect: () => options.onActivate(user) },
        {
          label: 'Show audit log',
          icon: History,
          link: linkOptions({ to: '/audit', search: { target: user.id } }),
        },
        { label: 'Delete', icon: Trash2, danger: true, disabled: isOwn, onSelect: () => options.onDelete(user) },
      ]}
    />
  )
}
