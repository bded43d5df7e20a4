import { useCurrentProject, useIsAdmin } from '../../projects/current-project.ts'
import { type Scope, scopes } from './api-key.ts'

export interface ScopeFieldsProps {
  readonly granted: readonly Scope[]
  onChange(granted: readonly Scope[]): void
  readonly error: string | undefined
}

/** The permissions of a key. */
export function ScopeFields({ granted, onChange, error }: ScopeFieldsProps) {
  const isAdmin = useIsAdmin()
  const isOfProject = useCurrentProject() !== undefined
  const shown = scopes.filter(
    ({ value, onlyOf }) =>
      onlyOf === undefined || (onlyOf === 'users' ? !isOfProject : isAdmin) || granted.includes(value),
  )
  return (
    <fieldset className="flex flex-col gap-1.5">
      <legend className="mb-1.5 text-sm font-medium">Permissions</legend>
      <div className="grid grid-cols-1 gap-x-4 gap-y-2 sm:grid-cols-2">
        {shown.map(({ value, label, hint }) => (
          <label key={value} className="flex items-start gap-2 text-sm">
            <input
              type="checkbox"
              checked={granted.includes(value)}
              onChange={({ target }) =>
                onChange(target.checked ? [...granted, value] : granted.filter((scope) => scope !== value))
              }
              className="mt-0.5 size-4 shrink-0 accent-accent"
            />
            <span>
              {label}
              <span className="block text-xs text-muted">{hint}</span>
            </span>
          </label>
        ))}
      </div>
      {error !== undefined && <p className="text-xs text-danger">Permissions: {error}</p>}
    </fieldset>
  )
}
