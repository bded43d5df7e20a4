import { api } from '../../api/client.ts'
import { Select } from '../../components/select.tsx'

export interface UserSelectProps {
  /** Default: `User`. */
  readonly label?: string | undefined
  /** The id of a user, or the value of another option. */
  readonly value: string
  /** The options above the users. */
  readonly options: readonly { readonly value: string; readonly label: string }[]
  readonly onChange: (value: string) => void
}

/** Lets an admin choose one of the newest 100 users. Links, for example on the page Users, can choose any. */
export function UserSelect({ label = 'User', value, options, onChange }: UserSelectProps) {
  const loaded = api.useQuery('get', '/api/v1/users', { params: { query: { limit: 100 } } })
  const users = loaded.data?.data
  const isListed = [...options, ...(users ?? [])].some((each) => ('id' in each ? each.id : each.value) === value)
  const other = api.useQuery(
    'get',
    '/api/v1/users/{id}',
    { params: { path: { id: value } } },
    { enabled: users !== undefined && !isListed },
  ).data?.data
  return (
    <Select
      label={label}
      showLabel
      disabled={loaded.isLoading}
      value={value}
      options={[
        ...options,
        ...(users ?? []).map(({ id, name }) => ({ value: id, label: name })),
        ...(isListed ? [] : [{ value, label: other?.name ?? `…${value.slice(-6)}` }]),
      ]}
      onChange={onChange}
    />
  )
}
