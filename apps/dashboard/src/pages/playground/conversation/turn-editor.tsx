import { useState } from 'react'
import { Button } from '../../../components/button.tsx'
import { inputClass } from '../../../components/field.tsx'

export interface TurnEditorProps {
  readonly label: string
  readonly text: string
  onSave(text: string): void
  /** Saves the text, removes the turns below, and asks for an answer. */
  onSaveAndRun?: ((text: string) => void) | undefined
  onCancel(): void
}

/** Changes the text of a message in its place. */
export function TurnEditor({ label, text, onSave, onSaveAndRun, onCancel }: TurnEditorProps) {
  const [draft, setDraft] = useState(text)
  return (
    <div className="flex flex-col gap-2">
      <textarea
        // The button that opened the editor has disappeared.
        autoFocus
        aria-label={label}
        value={draft}
        onChange={(event) => setDraft(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') onCancel()
        }}
        className={`${inputClass} field-sizing-content h-auto! max-h-[50dvh] min-h-20 resize-none py-2 text-base! leading-6`}
      />
      <div className="flex flex-wrap justify-end gap-2">
        <Button size="sm" variant="ghost" onClick={onCancel}>
          Cancel
        </Button>
        <Button size="sm" onClick={() => onSave(draft)}>
          Save
        </Button>
        {onSaveAndRun && (
          <Button size="sm" variant="primary" disabled={draft.trim() === ''} onClick={() => onSaveAndRun(draft)}>
            Save and run
          </Button>
        )}
      </div>
    </div>
  )
}
