import { useId, useState } from 'react'
import { Button } from '../../components/button.tsx'
import { classNames } from '../../components/class-names.ts'
import { ChevronDown, RotateCcw } from '../../components/icons.tsx'
import type { Column } from './columns.ts'
import type { ModelChoice } from './model-choices.ts'
import { ModelPicker } from './model-picker.tsx'
import { ParameterField } from './parameter-field.tsx'
import type { Settings } from './playground-state.ts'

export interface ModelSettingsProps {
  readonly column: Column
  readonly choices: readonly ModelChoice[] | undefined
  /** Whether the parameters are hidden at first. On narrow windows they always are. */
  readonly collapsed: boolean
  onChange(settings: Settings): void
}

/** The model and the parameters of a column. */
export function ModelSettings({ column, choices, collapsed, onChange }: ModelSettingsProps) {
  const { title, choice, parameters, settings, issues } = column
  const [open, setOpen] = useState(false)
  const id = useId()
  const changed = parameters.filter(({ name }) => settings[name] !== undefined)
  const { model, ...rest } = settings
  const setParameter = (name: string, value: string | undefined) => {
    const { [name]: _, ...others } = settings
    onChange(value === undefined ? others : { ...others, [name]: value })
  }
  return (
    <section aria-label={`${title} and parameters`} className="rounded-lg border border-line bg-surface shadow-sm">
      <div className="flex flex-col gap-1.5 p-4">
        <h2 className="text-sm font-medium">{title}</h2>
        <ModelPicker
          label={title}
          chosen={choice}
          choices={choices}
          // Parameters that another model does not have, such as a size, are of no use.
          onChoose={({ value, traits }) => {
            const { size, ...kept } = rest
            const keepsSize = size !== undefined && traits?.sizes?.includes(size)
            onChange({ ...kept, ...(keepsSize && { size }), model: value })
          }}
        />
        {issues.has('model') && <p className="text-xs text-danger">Model {issues.get('model')}</p>}
      </div>
      <div className="flex min-h-10 items-center gap-2 border-t border-line py-1 pr-2 pl-4">
        <button
          type="button"
          aria-expanded={open}
          aria-controls={id}
          onClick={() => setOpen(!open)}
          className={classNames('flex items-center gap-1.5 rounded-sm text-sm font-medium', !collapsed && 'lg:hidden')}
        >
          <ChevronDown aria-hidden className={classNames('size-4 transition-transform', !open && '-rotate-90')} />
          Parameters
        </button>
        {!collapsed && <h3 className="text-sm font-medium max-lg:hidden">Parameters</h3>}
        {changed.length > 0 && (
          <>
            <span className="text-xs text-muted">{changed.length} changed</span>
            <Button
              variant="ghost"
              size="sm"
              className="ml-auto"
              onClick={() => onChange(model === undefined ? {} : { model })}
            >
              <RotateCcw aria-hidden className="size-3.5" />
              Reset
            </Button>
          </>
        )}
      </div>
      <div
        id={id}
        className={classNames(
          'gap-4 p-4 pt-2',
          open ? 'grid' : collapsed ? 'hidden' : 'hidden lg:grid',
          collapsed && 'xl:grid-cols-2',
        )}
      >
        {parameters.map((parameter) => (
          <ParameterField
            key={parameter.name}
            parameter={parameter}
            value={settings[parameter.name]}
            issue={issues.get(parameter.name)}
            onChange={(value) => setParameter(parameter.name, value)}
          />
        ))}
      </div>
    </section>
  )
}
