import { useState } from 'react'
import { CopyButton } from '../../../components/copy-button.tsx'
import { IconButton } from '../../../components/icon-button.tsx'
import { Pencil, Trash2 } from '../../../components/icons.tsx'
import { AttachmentList } from './attachment-list.tsx'
import type { UserTurn } from './conversation.ts'
import { TurnEditor } from './turn-editor.tsx'
import { TurnFrame } from './turn-frame.tsx'

export interface UserTurnViewProps {
  readonly turn: UserTurn
  /** Whether a call runs, during which turns do not change. */
  readonly locked: boolean
  onChange(turn: UserTurn): void
  /** Replaces the turn, removes those below, and asks for an answer. */
  onRun(turn: UserTurn): void
  onRemove(): void
}

export function UserTurnView({ turn, locked, onChange, onRun, onRemove }: UserTurnViewProps) {
  const [editing, setEditing] = useState(false)
  const end = () => setEditing(false)
  return (
    <TurnFrame
      title="User"
      tone="user"
      actions={
        !editing && (
          <>
            <CopyButton text={turn.text} label="Copy the message" />
            <IconButton
              icon={Pencil}
              size="sm"
              label="Edit the message"
              disabled={locked}
              onClick={() => setEditing(true)}
            />
            <IconButton icon={Trash2} size="sm" label="Remove the message" disabled={locked} onClick={onRemove} />
          </>
        )
      }
    >
      {turn.attachments.length > 0 && (
        <AttachmentList
          attachments={turn.attachments}
          onRemove={
            editing
              ? (id) => onChange({ ...turn, attachments: turn.attachments.filter((each) => each.id !== id) })
              : undefined
          }
        />
      )}
      {editing ? (
        <TurnEditor
          label="User message"
          text={turn.text}
          onCancel={end}
          onSave={(text) => {
            end()
            onChange({ ...turn, text })
          }}
          onSaveAndRun={(text) => {
            end()
            onRun({ ...turn, text })
          }}
        />
      ) : (
        turn.text !== '' && <p className="text-base leading-6 break-words whitespace-pre-wrap">{turn.text}</p>
      )}
    </TurnFrame>
  )
}
