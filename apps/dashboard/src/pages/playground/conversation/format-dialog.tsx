import { useState } from 'react'
import { Button } from '../../../components/button.tsx'
import { Dialog } from '../../../components/dialog.tsx'
import { TextField } from '../../../components/field.tsx'
import { Segmented } from '../../../components/segmented.tsx'
import { Checkbox } from '../../../components/checkbox.tsx'
import type { ResponseFormat } from './conversation.ts'
import { JsonField } from './json-field.tsx'
import { parseObject } from './parse-object.ts'

export interface FormatDialogProps {
  readonly open: boolean
  onOpenChange(open: boolean): void
  readonly format: ResponseFormat | undefined
  /** How a chosen model without such a setting is asked. */
  readonly note: string | undefined
  /** Why the service rejected the format. */
  readonly issue: string | undefined
  /** Undefined for text. */
  onChange(format: ResponseFormat | undefined): void
}

const types = [
  { value: 'text', label: 'Text' },
  { value: 'json', label: 'JSON' },
  { value: 'json_schema', label: 'JSON schema' },
] as const

const exampleSchema = {
  type: 'object',
  properties: {
    name: { type: 'string' },
    born: { type: 'integer' },
    works: { type: 'array', items: { type: 'string' } },
  },
  required: ['name', 'born', 'works'],
  additionalProperties: false,
}

/** Chooses the format of answers, and edits the schema that they must follow. */
export function FormatDialog({ open, onOpenChange, ...form }: FormatDialogProps) {
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title="Response format"
      size="lg"
      description="Answers as text, as any JSON object, or as JSON that follows your schema."
    >
      {open && <FormatForm {...form} onClose={() => onOpenChange(false)} />}
    </Dialog>
  )
}

interface FormatFormProps extends Pick<FormatDialogProps, 'format' | 'note' | 'issue' | 'onChange'> {
  onClose(): void
}

function FormatForm({ format, note, issue, onChange, onClose }: FormatFormProps) {
  const [type, setType] = useState(format?.type ?? 'text')
  const [name, setName] = useState(format?.name ?? '')
  const [strict, setStrict] = useState(format?.strict ?? false)
  const [schema, setSchema] = useState(JSON.stringify(format?.schema ?? exampleSchema, undefined, 2))
  const parsed = parseObject(schema)
  const nameIssue = /^[\w-]{0,64}$/.test(name) ? undefined : 'must have 1 to 64 letters, digits, "_" or "-"'
  const isInvalid = type === 'json_schema' && ('issue' in parsed || nameIssue !== undefined)

  function save() {
    if (type === 'text') onChange(undefined)
    else if (type === 'json') onChange({ type })
    else if ('value' in parsed) {
      onChange({ type, ...(name !== '' && { name }), schema: parsed.value, ...(strict && { strict }) })
    }
    onClose()
  }

  return (
    <div className="flex flex-col gap-4">
      <div>
        <Segmented label="Format" value={type} options={types} onChange={setType} />
      </div>
      {type !== 'text' && note && <p className="text-xs text-muted">{note}</p>}
      {type === 'json_schema' && (
        <>
          <JsonField label="Schema" value={schema} error={issue} onChange={setSchema} />
          <TextField
            label="Name"
            hint="For the model. Optional."
            placeholder="person"
            value={name}
            error={nameIssue}
            onChange={(event) => setName(event.target.value)}
          />
          <Checkbox label="Strict" hint="The provider must enforce the schema." checked={strict} onChange={setStrict} />
        </>
      )}
      <div className="flex justify-end gap-2">
        <Button onClick={onClose}>Cancel</Button>
        <Button variant="primary" disabled={isInvalid} onClick={save}>
          Save
        </Button>
      </div>
    </div>
  )
}
