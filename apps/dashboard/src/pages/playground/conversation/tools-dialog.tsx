import { useState } from 'react'
import { Button } from '../../../components/button.tsx'
import { Dialog } from '../../../components/dialog.tsx'
import { Field } from '../../../components/field.tsx'
import { IconButton } from '../../../components/icon-button.tsx'
import { Pencil, Plus, Trash2 } from '../../../components/icons.tsx'
import { Select } from '../../../components/select.tsx'
import { Checkbox } from '../../../components/checkbox.tsx'
import type { Conversation, Tool } from './conversation.ts'
import { ToolForm } from './tool-form.tsx'

export interface ToolsDialogProps {
  readonly open: boolean
  onOpenChange(open: boolean): void
  readonly conversation: Conversation
  onChange(changes: Partial<Conversation>): void
}

/** The functions that a model may call, and whether it must. */
export function ToolsDialog({ open, onOpenChange, conversation, onChange }: ToolsDialogProps) {
  const { tools, toolChoice, parallelToolCalls } = conversation
  /** The index of the tool that is edited; the number of tools for a new one. */
  const [edited, setEdited] = useState<number>()
  const close = () => setEdited(undefined)
  const change = (next: readonly Tool[]) => {
    close()
    // The service rejects the choice of a tool that is gone.
    const isGone = toolChoice && !(toolChoice.type === 'tool' ? next.some(isChosen) : next.length > 0)
    onChange({ tools: next, ...(isGone && { toolChoice: undefined }) })
  }
  const isChosen = ({ name }: Tool) => name === toolChoice?.name
  const form = (index: number) => (
    <ToolForm
      key={index}
      tool={tools[index]}
      names={tools.filter((_, other) => other !== index).map(({ name }) => name)}
      onSave={(tool) => change(index === tools.length ? [...tools, tool] : tools.with(index, tool))}
      onCancel={close}
    />
  )
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => {
        close()
        onOpenChange(next)
      }}
      title="Tools"
      size="lg"
      description="Functions that the model may call. You enter their results in the conversation."
      footer={
        <Button variant="primary" disabled={edited !== undefined} onClick={() => onOpenChange(false)}>
          Done
        </Button>
      }
    >
      {tools.length > 0 && (
        <ul aria-label="Tools" className="flex flex-col gap-2">
          {tools.map((tool, index) => (
            <li key={tool.name}>
              {edited === index ? (
                form(index)
              ) : (
                <div className="flex items-center gap-1 rounded-lg border border-line py-2 pr-1.5 pl-3">
                  <div className="mr-auto min-w-0">
                    <p className="truncate font-mono text-sm font-medium">{tool.name}</p>
                    <p className="truncate text-xs text-muted">{tool.description}</p>
                  </div>
                  <IconButton icon={Pencil} size="sm" label={`Edit ${tool.name}`} onClick={() => setEdited(index)} />
                  <IconButton
                    icon={Trash2}
                    size="sm"
                    label={`Remove ${tool.name}`}
                    onClick={() => change(tools.filter((other) => other !== tool))}
                  />
                </div>
              )}
            </li>
          ))}
        </ul>
      )}
      {edited === tools.length ? (
        form(tools.length)
      ) : (
        <div>
          <Button size="sm" disabled={edited !== undefined} onClick={() => setEdited(tools.length)}>
            <Plus aria-hidden className="size-3.5" />
            Add a tool
          </Button>
        </div>
      )}
      {tools.length > 0 && (
        <div className="grid gap-4 border-t border-line pt-4 sm:grid-cols-2">
          <Field label="Tool choice">
            {({ id }) => (
              <Select
                id={id}
                wide
                label="Tool choice"
                value={toolChoice?.type === 'tool' ? `tool ${toolChoice.name}` : (toolChoice?.type ?? 'auto')}
                options={[...choices, ...tools.map(({ name }) => ({ value: `tool ${name}`, label: name }))]}
                onChange={(value) => onChange({ toolChoice: toChoice(value) })}
              />
            )}
          </Field>
          <div className="sm:pt-6">
            <Checkbox
              label="Parallel calls"
              hint="Allow several calls at once."
              checked={parallelToolCalls}
              onChange={(checked) => onChange({ parallelToolCalls: checked })}
            />
          </div>
        </div>
      )}
    </Dialog>
  )
}

const choices = [
  { value: 'auto', label: 'The model decides' },
  { value: 'required', label: 'Any tool' },
  { value: 'none', label: 'No tool' },
]

function toChoice(value: string): Conversation['toolChoice'] {
  if (value.startsWith('tool ')) return { type: 'tool', name: value.slice('tool '.length) }
  return value === 'required' || value === 'none' ? { type: value } : undefined
}
