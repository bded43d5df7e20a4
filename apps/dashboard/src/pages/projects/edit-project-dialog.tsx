import { useState } from 'react'
import { toApiError } from '../../api/api-error.ts'
import { api } from '../../api/client.ts'
import { findChanges } from '../../find-changes.ts'
import { Dialog } from '../../components/dialog.tsx'
import { Field, TextField } from '../../components/field.tsx'
import { FormError } from '../../components/form-error.tsx'
import { FormFooter } from '../../components/form-footer.tsx'
import { Select } from '../../components/select.tsx'
import { toastSuccess } from '../../components/toast.tsx'
import { QuotaFields, TierField } from '../../quotas/quota-fields.tsx'
import { type QuotaValues, toQuotaValues, toQuotaBody } from '../../quotas/quota-values.ts'
import { useUser } from '../../session/use-session.ts'
import { type Project, type ProjectDialogProps, reloadProjects } from './project.ts'

interface ProjectValues extends Pick<Project, 'name' | 'funded' | 'status'>, QuotaValues<Project['quota_scope']> {}

const shown = ['name', 'tier', 'quota_limit', 'quota_scope', 'budget_usd', 'budget_period', 'funded', 'status'] as const

const quotaScopes = [
  { value: 'key', label: 'Each key has its own' },
  { value: 'project', label: 'All keys and members share one' },
] as const

const payers = [
  { value: 'creator', label: 'Also the budget of the user who created it' },
  { value: 'project', label: 'Only the budget of the project' },
] as const

const statuses = [
  { value: 'active', label: 'Active' },
  { value: 'suspended', label: 'Suspended: every request is rejected' },
] as const

/** Changes the name of a project; for admins of the service also its tier, quota, budget, and status. */
export function EditProjectDialog({ project, onClose }: ProjectDialogProps) {
  const isAdmin = useUser().role === 'admin'
  const before = toValues(project)
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
  const body = findChanges(toQuotaBody(before), toQuotaBody(values))
  return (
    <Dialog
      open
      onOpenChange={onClose}
      onSubmit={() => save.mutate({ params: { path: { id: project.id } }, body })}
      title={isAdmin ? `Edit ${project.name}` : `Rename ${project.name}`}
      footer={<FormFooter action="Save" busy={save.isPending} onClose={onClose} />}
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
          <TierField values={values} onChange={set} errors={errors} />
          <QuotaFields
            values={values}
            onChange={set}
            errors={errors}
            scopes={quotaScopes}
            limits="all calls of the project"
          />
          <Field label="Calls count toward" error={errors?.get('funded')}>
            {({ id }) => (
              <Select
                id={id}
                label="Calls count toward"
                wide
                value={values.funded ? 'project' : 'creator'}
                options={payers}
                onChange={(payer) => set({ funded: payer === 'project' })}
              />
            )}
          </Field>
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

function toValues(project: Project): ProjectValues {
  return { ...toQuotaValues(project), name: project.name, funded: project.funded, status: project.status }
}
