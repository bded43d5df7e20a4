import { Field, inputClass } from '../../../components/field.tsx'
import { Button } from '../../../components/button.tsx'
import { parseObject } from './parse-object.ts'

export interface JsonFieldProps {
  readonly label: string
  readonly hint?: string | undefined
  readonly value: string
  /** Why the text is rejected, besides that it is not a JSON object. */
  readonly error?: string | undefined
  onChange(value: string): void
}

/** An editor of a JSON object, such as a schema. */
export function JsonField({ label, hint, value, error, onChange }: JsonFieldProps) {
  const parsed = parseObject(value)
  const issue = value.trim() !== '' && 'issue' in parsed ? parsed.issue : undefined
  return (
    <Field label={label} hint={hint} error={error ?? issue}>
      {(control) => (
        <div className="relative">
          <textarea
            {...control}
            rows={8}
            spellCheck={false}
            value={value}
            onChange={(event) => onChange(event.target.value)}
            className={`${inputClass} field-sizing-content h-auto! max-h-[40dvh] min-h-40 py-2 pr-16 font-mono text-xs! leading-5`}
          />
          {'value' in parsed && (
            <Button
              size="sm"
              variant="ghost"
              className="absolute top-1 right-1 bg-surface"
              onClick={() => onChange(JSON.stringify(parsed.value, undefined, 2))}
            >
              Format
            </Button>
          )}
        </div>
      )}
    </Field>
  )
}
