import { Field, inputClass, TextField } from '../../components/field.tsx'
import { Segmented } from '../../components/segmented.tsx'
import { Select } from '../../components/select.tsx'
import { Checkbox } from '../../components/checkbox.tsx'
import { isChosen, findIssue, type Parameter } from './parameters.ts'

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
  const field = { label, hint: unavailable ?? parameter.hint, error: issue ?? findIssue(parameter, value) }
  const disabled = unavailable !== undefined
  const setText = (text: string) => onChange(text === '' ? undefined : text)
  switch (parameter.kind) {
    case 'range': {
      const { min, max, step, initial, unsetLabel } = parameter
      const isUnset = value === undefined
      return (
        <Field {...field}>
          {(control) => (
            <>
              <div className="flex items-center gap-3">
                <input
                  type="range"
                  aria-label={`${label}, slider`}
                  {...{ min, max, step }}
                  value={value ?? initial}
                  onChange={(event) => setText(event.target.value)}
                  className={`h-4 min-w-0 flex-1 cursor-pointer accent-accent ${isUnset ? 'opacity-50' : ''}`}
                />
                <input
                  type="number"
                  {...control}
                  {...{ min, max, step }}
                  placeholder="–"
                  value={value ?? ''}
                  onChange={(event) => setText(event.target.value)}
                  className={`${inputClass} tabular w-20! shrink-0 text-right`}
                />
              </div>
              <label className="flex cursor-pointer items-center gap-2 text-xs text-muted">
                <input
                  type="checkbox"
                  checked={isUnset}
                  aria-label={`${label}: ${unsetLabel}`}
                  onChange={(event) => onChange(event.target.checked ? undefined : String(initial))}
                  className="size-3.5 accent-accent"
                />
                {unsetLabel}
              </label>
            </>
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
    case 'json':
      return (
        <Field {...field}>
          {(control) => (
            <textarea
              {...control}
              rows={2}
              spellCheck={false}
              placeholder={parameter.placeholder}
              value={value ?? ''}
              onChange={(event) => setText(event.target.value)}
              className={`${inputClass} field-sizing-content h-auto! max-h-60 py-1.5 font-mono text-xs!`}
            />
          )}
        </Field>
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
      const options = parameter.options.map((option) => ({ value: option, label: optionLabel(option) }))
      const chosen = {
        label,
        value: value ?? parameter.initial,
        options,
        onChange: (next: string) => setText(next === 'default' ? '' : next),
      }
      return (
        <Field {...field}>
          {({ id }) =>
            options.length === 2 ? (
              <div>
                <Segmented {...chosen} />
              </div>
            ) : (
              <Select {...chosen} id={id} wide disabled={disabled} />
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
              label={optionLabel(option)}
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

function optionLabel(option: string): string {
  if (option === 'xhigh') return 'Extra high'
  return option === 'hd' ? 'HD' : `${option.slice(0, 1).toUpperCase()}${option.slice(1)}`
}
