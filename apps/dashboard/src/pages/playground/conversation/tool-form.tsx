import { useState } from 'react'
import { Button } from '../../../components/button.tsx'
import { TextField } from '../../../components/field.tsx'
import { Checkbox } from '../../../components/checkbox.tsx'
import type { Tool } from './conversation.ts'
import { JsonField } from './json-field.tsx'
import { parseObject } from './parse-object.ts'

export interface ToolFormProps {
  /** Undefined for a new tool. */
  readonly tool: Tool | undefined
  /** The names of the other tools. */
  readonly names: readonly string[]
  onSave(tool: Tool): void
  onCancel(): void
}

const exampleTool: Tool = {
  name: 'get_weather',
  description: 'The weather in a city',
  input_schema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
}

/** Defines a tool: its name, its description, and the JSON schema of its input. */
export function ToolForm({ tool, names, onSave, onCancel }: ToolFormProps) {
  const isExample = tool === undefined && !names.includes(exampleTool.name)
  const initial = tool ?? (isExample ? exampleTool : { ...exampleTool, name: '', description: '' })
  const [name, setName] = useState(initial.name)
  const [description, setDescription] = useState(initial.description ?? '')
  const [schema, setSchema] = useState(JSON.stringify(initial.input_schema, undefined, 2))
  const [strict, setStrict] = useState(initial.strict ?? false)
  const parsed = parseObject(schema)
  const nameIssue =
    name !== '' && !/^[\w-]{1,64}$/.test(name)
      ? 'must have 1 to 64 letters, digits, "_" or "-"'
      : names.includes(name)
        ? 'is the name of another tool'
        : undefined
  const isInvalid = name === '' || nameIssue !== undefined || 'issue' in parsed
  return (
    <div className="flex flex-col gap-4 rounded-lg border border-line p-4">
      <TextField
        label="Name"
        value={name}
        error={nameIssue}
        autoComplete="off"
        onChange={(event) => setName(event.target.value)}
      />
      <TextField
        label="Description"
        hint="What the tool does, and when the model should call it."
        value={description}
        onChange={(event) => setDescription(event.target.value)}
      />
      <JsonField label="Input schema" value={schema} onChange={setSchema} />
      <Checkbox
        label="Strict"
        hint="Inputs follow the schema exactly, if the provider can enforce it."
        checked={strict}
        onChange={setStrict}
      />
      <div className="flex justify-end gap-2">
        <Button size="sm" onClick={onCancel}>
          Cancel
        </Button>
        <Button
          size="sm"
          variant="primary"
          disabled={isInvalid}
          onClick={() => {
            if ('issue' in parsed) return
            onSave({
              ...tool,
              name,
              description: description === '' ? undefined : description,
              input_schema: parsed.value,
              strict: strict || undefined,
            })
          }}
        >
          {tool ? 'Save tool' : 'Add tool'}
        </Button>
      </div>
    </div>
  )
}
