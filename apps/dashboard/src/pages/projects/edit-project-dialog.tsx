import { useState } from 'react'
import { toApiError } from '../../api/api-error.ts'
import { api } from '../../api/client.ts'
import { BudgetFields } from '../../budgets/budget-fields.tsx'
import { type BudgetValues, budgetValuesOf, toBudgetBody } from '../../budgets/budget-values.ts'
import { changesOf } from '../../changes-of.ts'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { Field, TextField } from '../../components/field.tsx'
import { FormError } from '../../components/form-error.tsx'
import { Select } from '../../components/select.tsx'
import { toastSuccess } from '../../components/toast.tsx'
import { formatLabel } from '../../format.ts'
import { useUser } from '../../session/use-session.ts'
import { tiers } from '../users/user.ts'
import { type Project, type ProjectDialogProps, reloadProjects } from './project.ts'

interface ProjectValues extends Pick<Project, 'name' | 'tier' | 'quota_scope' | 'status'>, BudgetValues {
  /** As text; empty means no limit. */
  readonly quotaLimit: string
}

const shown = ['name', 'tier', 'quota_limit', 'quota_scope', 'budget_usd', 'budget_period', 'status'] as const

const quotaScopes = [
  { value: 'key', label: 'Each key has its own' },
  { value: 'project', label: 'All keys and members share one' },
] as const

const statuses = [
  { value: 'active', label: 'Active' },
  { value: 'suspended', label: 'Suspended: every request is rejected' },
] as const

/** Changes the name of a project; for admins of the service also its tier, quota, budget, and status. */
export function EditProjectDialog({ project, onClose }: ProjectDialogProps) {
  const isAdmin = useUser().role === 'admin'
  const before = valuesOf(project)
  const [values, setValues] = useState(before)
  const set = (changes: Partial<ProjectValues>) => setValues({ ...values, ...changes })
  const save = api.useMutation('patch', '/projects/{id}', {
    onSuccess({ data }) {
      void reloadProjects()
      toastSuccess(`${data.name} was changed`)
      onClose()
    },
  })
  const errors = save.error ? toApiError(save.error).fields : undefined
  const body = changesOf(toBody(before), toBody(values))
  return (
    <Dialog
      open
      onOpenChange={onClose}
      onSubmit={() => save.mutate({ params: { path: { id: project.id } }, body })}
      title={isAdmin ? `Edit ${project.name}` : `Rename ${project.name}`}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" busy={save.isPending}>
            Save
          </Button>
        </>
      }
    >
      <FormError error={save.error} shown={shown} />
      <TextField
        label="Name"
        required
        maxLength={100}
        value={values.name}
        error={errors?.get('name')}
        onChange={({ target }) => set({ name: target.value })}
      />
      {isAdmin && (
        <>
          <Field label="Tier" error={errors?.get('tier')}>
            {({ id }) => (
              <Select
                id={id}
                label="Tier"
                wide
                value={values.tier}
                options={tiers.map((value) => ({ value, label: formatLabel(value) }))}
                onChange={(tier) => set({ tier })}
              />
            )}
          </Field>
          {values.tier === 'enterprise' && (
            <TextField
              label="Quota limit"
              hint="Units per month. Leave empty for no limit."
              inputMode="numeric"
              pattern="[0-9]*"
              value={values.quotaLimit}
              error={errors?.get('quota_limit')}
              onChange={({ target }) => set({ quotaLimit: target.value })}
            />
          )}
          <Field label="Monthly quota" error={errors?.get('quota_scope')}>
            {({ id }) => (
              <Select
                id={id}
                label="Monthly quota"
                wide
                value={values.quota_scope}
                options={quotaScopes}
                onChange={(quota_scope) => set({ quota_scope })}
              />
            )}
          </Field>
          <BudgetFields values={values} onChange={set} limits="all calls of the project" errors={errors} />
          <Field label="Status" error={errors?.get('status')}>
            {({ id }) => (
              <Select
                id={id}
                label="Status"
                wide
                value={values.status}
                options={statuses}
                onChange={(status) => set({ status })}
              />
            )}
          </Field>
        </>
      )}
    </Dialog>
  )
}

function valuesOf(project: Project): ProjectValues {
  const { name, tier, quota_limit, quota_scope, status } = project
  const quotaLimit = quota_limit === null ? '' : String(quota_limit)
  return { ...budgetValuesOf(project), name, tier, quotaLimit, quota_scope, status }
}

/** The values as the API takes them. Only the tier enterprise has a quota limit of its own. */
function toBody({ quotaLimit, budgetUsd, budgetPeriod, ...values }: ProjectValues) {
  const hasLimit = values.tier === 'enterprise' && quotaLimit.trim() !== ''
  return {
    ...values,
    quota_limit: hasLimit ? Number(quotaLimit) : null,
    ...toBudgetBody({ budgetUsd, budgetPeriod }),
  }
}
