import { Field, inputClass, TextField } from '../../components/field.tsx'
import { Segmented } from '../../components/segmented.tsx'
import { Select } from '../../components/select.tsx'
import { isChosen, type Parameter } from './parameters.ts'

export interface ParameterFieldProps {
  readonly parameter: Parameter
  /** Undefined for the default. */
  readonly value: string | undefined
  /** The reason why the service rejected the value. */
  readonly issue: string | undefined
  onChange(value: string | undefined): void
}

/** The control of a parameter, by its kind. */
export function ParameterField({ parameter, value, issue, onChange }: ParameterFieldProps) {
  const { label, unavailable } = parameter
  const field = { label, hint: unavailable ?? parameter.hint, error: issue }
  const disabled = unavailable !== undefined
  const setText = (text: string) => onChange(text === '' ? undefined : text)
  switch (parameter.kind) {
    case 'range': {
      const { min, max, step, initial } = parameter
      return (
        <Field {...field}>
          {(control) => (
            <div className="flex items-center gap-3">
              <input
                type="range"
                aria-label={`${label}, slider`}
                {...{ min, max, step }}
                value={value ?? initial}
                onChange={(event) => setText(event.target.value)}
                className="h-4 min-w-0 flex-1 cursor-pointer accent-accent"
              />
              <input
                type="number"
                {...control}
                {...{ min, max, step }}
                placeholder={String(initial)}
                value={value ?? ''}
                onChange={(event) => setText(event.target.value)}
                className={`${inputClass} tabular w-20! shrink-0 text-right`}
              />
            </div>
          )}
        </Field>
      )
    }
    case 'integer':
      return (
        <TextField
          {...field}
          type="number"
          step={1}
          placeholder="Random"
          disabled={disabled}
          value={value ?? ''}
          onChange={(event) => setText(event.target.value)}
        />
      )
    case 'text':
      return (
        <TextField
          {...field}
          placeholder={parameter.placeholder}
          value={value ?? ''}
          onChange={(event) => setText(event.target.value)}
        />
      )
    case 'lines':
      return (
        <Field {...field}>
          {(control) => (
            <textarea
              {...control}
              rows={2}
              value={value ?? ''}
              onChange={(event) => setText(event.target.value)}
              className={`${inputClass} h-auto! py-1.5 font-mono text-xs!`}
            />
          )}
        </Field>
      )
    case 'flag': {
      const checked = value === undefined ? parameter.initial : value === 'true'
      return (
        <Checkbox
          label={label}
          hint={issue ? `${label} ${issue}` : field.hint}
          checked={checked}
          onChange={(next) => onChange(next === parameter.initial ? undefined : String(next))}
        />
      )
    }
    case 'choice': {
      const options = parameter.options.map((option) => ({ value: option, label: labelOf(option) }))
      const chosen = { label, value: value ?? parameter.initial, options, onChange: setText }
      return (
        <Field {...field}>
          {({ id }) =>
            options.length === 2 ? (
              <div>
                <Segmented {...chosen} />
              </div>
            ) : (
              <Select {...chosen} id={id} wide />
            )
          }
        </Field>
      )
    }
    case 'choices': {
      const { options } = parameter
      return (
        <fieldset className="flex flex-col gap-2">
          <legend className="mb-2 text-sm font-medium">{label}</legend>
          {options.map((option) => (
            <Checkbox
              key={option}
              label={labelOf(option)}
              checked={isChosen(value, option)}
              onChange={(next) => {
                const chosen = options.filter((each) => (each === option ? next : isChosen(value, each)))
                onChange(chosen.length === options.length ? undefined : chosen.join(','))
              }}
            />
          ))}
          {issue && <p className="text-xs text-danger">{`${label} ${issue}`}</p>}
        </fieldset>
      )
    }
  }
}

function labelOf(option: string): string {
  return option === 'hd' ? 'HD' : `${option.slice(0, 1).toUpperCase()}${option.slice(1)}`
}

interface CheckboxProps {
  readonly label: string
  readonly hint?: string | undefined
  readonly checked: boolean
  onChange(checked: boolean): void
}

function Checkbox({ label, hint, checked, onChange }: CheckboxProps) {
  return (
    <label className="flex cursor-pointer items-start gap-2">
      <input
        type="checkbox"
        checked={checked}
        onChange={(event) => onChange(event.target.checked)}
        className="mt-0.5 size-4 shrink-0 accent-accent"
      />
      <span>
        <span className="block text-sm font-medium">{label}</span>
        {hint && <span className="block text-xs text-muted">{hint}</span>}
      </span>
    </label>
  )
}
