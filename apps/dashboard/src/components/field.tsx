import { type ComponentProps, type ReactNode, useId } from 'react'
import { classNames } from './class-names.ts'

/** The attributes that a control must set, so that screen readers find its label, hint, and error. */
export interface FieldControl {
  readonly id: string
  readonly 'aria-describedby': string | undefined
  readonly 'aria-invalid': true | undefined
}

export interface FieldProps {
  readonly label: string
  readonly hint?: ReactNode | undefined
  /** The reason why the value was rejected. */
  readonly error?: string | undefined
  readonly className?: string | undefined
  readonly children: (control: FieldControl) => ReactNode
}

/** A labeled control with a hint, or the error beside its cause. */
export function Field({ label, hint, error, className, children }: FieldProps) {
  const id = useId()
  const noteId = `${id}-note`
  const note = error ?? hint
  return (
    <div className={classNames('flex flex-col gap-1.5', className)}>
      <label htmlFor={id} className="text-sm font-medium">
        {label}
      </label>
      {children({ id, 'aria-describedby': note ? noteId : undefined, 'aria-invalid': error ? true : undefined })}
      {note && (
        <p id={noteId} className={classNames('text-xs', error ? 'text-danger' : 'text-muted')}>
          {error ? `${label} ${error}` : hint}
        </p>
      )}
    </div>
  )
}

export interface TextFieldProps
  extends Omit<FieldProps, 'children'>, Omit<ComponentProps<'input'>, 'className' | 'children'> {}

export function TextField({ label, hint, error, className, ...input }: TextFieldProps) {
  return (
    <Field label={label} hint={hint} error={error} className={className}>
      {(control) => <input {...input} {...control} className={inputClass} />}
    </Field>
  )
}

/** The look of a control into which people type. */
export const inputClass =
  'h-8 w-full rounded-md border border-line-strong bg-surface px-2.5 text-sm text-fg shadow-sm aria-invalid:border-danger disabled:opacity-60'
