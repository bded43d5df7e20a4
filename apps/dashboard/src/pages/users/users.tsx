import { keepPreviousData } from '@tanstack/react-query'
import { Outlet, useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { signInMethods } from '../../auth/sign-in-methods.ts'
import { Button } from '../../components/button.tsx'
import { DataTable } from '../../components/data-table.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { Plus, Users as UsersIcon } from '../../components/icons.tsx'
import { Paging } from '../../components/paging.tsx'
import { SearchField } from '../../components/search-field.tsx'
import { Select } from '../../components/select.tsx'
import { createdOrder } from '../../components/sort.ts'
import { toastError, toastSuccess } from '../../components/toast.tsx'
import { useFilters } from '../../filters.ts'
import { formatLabel } from '../../format.ts'
import { PageLayout } from '../../layout/page-layout.tsx'
import { useUser } from '../../session/use-session.ts'
import { CreateUserDialog } from './create-user-dialog.tsx'
import { EditUserDialog } from './edit-user-dialog.tsx'
import { userRoute, usersRoute } from './page.ts'
import { reloadUsers, roles, tiers, type User } from './user.ts'
import { userColumns } from './user-columns.tsx'
import { UserSheet } from './user-sheet.tsx'
import { DeleteUserDialog, SuspendUserDialog } from './user-status-dialog.tsx'

/** The service finds whole addresses only, and rejects any other text. */
const wholeEmail = /^[^\s@]+@[^\s@]+$/

const { passwords, oidc } = signInMethods
const tierNote = 'The tier sets how many units each API key of a user has per month.'
/** A user that an admin creates has a password. */
const description = passwords
  ? `Everyone with an account. ${tierNote}`
  : `Everyone with an account. Passwords are off, so users are created when they first sign in with ${oidc?.name ?? 'single sign-on'}. ${tierNote}`

type Action = { readonly kind: 'create' } | { readonly kind: 'edit' | 'suspend' | 'delete'; readonly user: User }

export function Users() {
  const { id: ownId } = useUser()
  const [{ email, role, tier, sort, cursor }, setFilters] = useFilters(usersRoute)
  const { userId: opened } = useParams({ strict: false })
  const [action, setAction] = useState<Action>()
  const close = () => setAction(undefined)
  const users = api.useQuery(
    'get',
    '/api/v1/users',
    { params: { query: { limit: 50, cursor, sort, role, tier, ...(email && wholeEmail.test(email) && { email }) } } },
    { placeholderData: keepPreviousData },
  )
  const activate = api.useMutation('patch', '/api/v1/users/{id}', {
    onSuccess({ data }) {
      void reloadUsers()
      toastSuccess(`${data.name} was activated`)
    },
    onError: (error) => toastError('The user could not be activated', error),
  })

  return (
    <PageLayout
      title="Users"
      description={description}
      actions={
        passwords && (
          <Button variant="primary" onClick={() => setAction({ kind: 'create' })}>
            <Plus aria-hidden className="size-4" />
            Create user
          </Button>
        )
      }
    >
      <div className="flex flex-wrap items-center gap-2">
        <SearchField
          label="Whole email address"
          value={email ?? ''}
          onChange={(next) => setFilters({ email: next.trim() })}
        />
        <Select
          label="Role"
          showLabel
          value={role ?? 'any'}
          options={[{ value: 'any', label: 'Any' }, ...roles.map((value) => ({ value, label: formatLabel(value) }))]}
          onChange={(next) => setFilters({ role: next === 'any' ? undefined : next })}
        />
        <Select
          label="Tier"
          showLabel
          value={tier ?? 'any'}
          options={[{ value: 'any', label: 'Any' }, ...tiers.map((value) => ({ value, label: formatLabel(value) }))]}
          onChange={(next) => setFilters({ tier: next === 'any' ? undefined : next })}
        />
      </div>
      <DataTable
        label="Users"
        columns={userColumns({
          ownId,
          onEdit: (user) => setAction({ kind: 'edit', user }),
          onSuspend: (user) => setAction({ kind: 'suspend', user }),
          onActivate: ({ id }) => activate.mutate({ params: { path: { id } }, body: { status: 'active' } }),
          onDelete: (user) => setAction({ kind: 'delete', user }),
        })}
        rows={users.data?.data}
        rowKey={({ id }) => id}
        selectedKey={opened}
        order={createdOrder(sort, setFilters)}
        stale={users.isPlaceholderData}
        error={users.error}
        onRetry={() => void users.refetch()}
        empty={
          <EmptyState
            icon={UsersIcon}
            title="No user matches"
            action={
              <Button onClick={() => setFilters({ email: undefined, role: undefined, tier: undefined })}>
                Clear the filters
              </Button>
            }
          >
            Enter the whole email address, or choose another role or tier.
          </EmptyState>
        }
        footer={<Paging page={users.data?.meta.page} />}
      />
      <Outlet />
      {action?.kind === 'create' && <CreateUserDialog onClose={close} />}
      {action?.kind === 'edit' && <EditUserDialog user={action.user} onClose={close} />}
      {action?.kind === 'suspend' && <SuspendUserDialog user={action.user} onClose={close} />}
      {action?.kind === 'delete' && <DeleteUserDialog user={action.user} onClose={close} />}
    </PageLayout>
  )
}

/** The user that the URL names, over the list. */
export function OpenUser() {
  const { userId } = userRoute.useParams()
  const navigate = useNavigate()
  return <UserSheet id={userId} onClose={() => void navigate({ to: '/users', search: true, resetScroll: false })} />
}
