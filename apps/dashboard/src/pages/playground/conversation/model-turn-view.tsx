import { useCallback, useState } from 'react'
import { Button } from '../../../components/button.tsx'
import { CopyButton } from '../../../components/copy-button.tsx'
import { ErrorPanel } from '../../../components/error-panel.tsx'
import { IconButton } from '../../../components/icon-button.tsx'
import { Code, Pencil, RotateCw, SendHorizontal, Trash2 } from '../../../components/icons.tsx'
import type { Side } from '../playground-state.ts'
import { ResultMeta } from '../result-meta.tsx'
import type { StreamedPart } from '../streamed-parts.ts'
import type { Call } from '../call.ts'
import { Answer } from './answer.tsx'
import { type AnswerPart, findToolCalls, type ModelTurn, joinTexts, type ToolResult, withText } from './conversation.ts'
import { TurnEditor } from './turn-editor.tsx'
import { TurnFrame } from './turn-frame.tsx'
import type { ConversationControl } from './use-conversation.ts'

export interface ModelTurnViewProps {
  readonly side: Side
  /** The answer, or the call that runs or has failed. */
  readonly turn: ShownTurn
  /** Read by screen readers. */
  readonly label: string
  /** Whether a call runs, during which turns do not change. */
  readonly locked: boolean
  /** Whether turns follow, which a new answer removes. */
  readonly hasNext: boolean
  readonly raw: boolean
  onRawChange(raw: boolean): void
  readonly changeAnswer: ConversationControl['changeAnswer']
  /** Removes this turn and those below, and asks for another answer. */
  onRegenerate(): void
  /** Sends the results of the tool calls, and removes the turns below. */
  onSendResults(): void
  onRemove(): void
}

export interface ShownTurn extends Pick<ModelTurn, 'id' | 'model' | 'results' | 'format' | 'figures'> {
  readonly parts: readonly (AnswerPart | StreamedPart)[]
  readonly error?: unknown
}

const noResults = {}

/** A call that has no turn yet. */
export function toShownTurn(call: Call): ShownTurn {
  const { id, request, parts, error } = call
  const { model, response_format: format } = request.body
  return {
    id,
    model: String(model),
    parts,
    results: noResults,
    format: format as ShownTurn['format'],
    figures: call,
    error,
  }
}

export function ModelTurnView(props: ModelTurnViewProps) {
  const { side, turn, label, locked, hasNext, raw, onRawChange, changeAnswer, onRegenerate, onSendResults } = props
  const { id, model, parts, results, format, figures, error } = turn
  const { status } = figures
  const isSettled = status === 'done' || (status === 'stopped' && parts.length > 0)
  const [editing, setEditing] = useState(false)
  const text = joinTexts(parts)
  const calls = isSettled ? findToolCalls(parts as readonly AnswerPart[]) : []
  const setResult = useCallback(
    (callId: string, result: ToolResult) =>
      changeAnswer(side, id, (before) => ({ ...before, results: { ...before.results, [callId]: result } })),
    [changeAnswer, side, id],
  )
  return (
    <TurnFrame
      title={model}
      actions={
        !editing && (
          <>
            {text !== '' && (
              <IconButton
                icon={Code}
                size="sm"
                label="Show the raw text"
                aria-pressed={raw}
                onClick={() => onRawChange(!raw)}
                className="aria-pressed:bg-accent-soft aria-pressed:text-accent"
              />
            )}
            {isSettled && text !== '' && <CopyButton text={text} label="Copy the text" />}
            {isSettled && (
              <>
                <IconButton
                  icon={RotateCw}
                  size="sm"
                  label={`Regenerate the answer${hasNext ? ', and remove the messages below' : ''}`}
                  disabled={locked}
                  onClick={onRegenerate}
                />
                <IconButton
                  icon={Pencil}
                  size="sm"
                  label="Edit the answer"
                  disabled={locked}
                  onClick={() => setEditing(true)}
                />
                <IconButton
                  icon={Trash2}
                  size="sm"
                  label="Remove the answer"
                  disabled={locked}
                  onClick={props.onRemove}
                />
              </>
            )}
          </>
        )
      }
    >
      {editing ? (
        <TurnEditor
          label="Answer"
          text={text}
          onCancel={() => setEditing(false)}
          onSave={(next) => {
            setEditing(false)
            changeAnswer(side, id, (before) => ({ ...before, parts: withText(before.parts, next) }))
          }}
        />
      ) : (
        <div className="flex min-w-0 flex-col gap-3">
          {status === 'running' && parts.length === 0 && <p className="typing h-6 text-base" />}
          {status === 'done' && parts.length === 0 && <p className="text-sm text-muted">The answer is empty.</p>}
          {status === 'stopped' && !isSettled && <p className="text-sm text-muted">Stopped before a result arrived.</p>}
          <Answer
            {...{ label, parts, raw, format, results }}
            running={status === 'running'}
            onResultChange={isSettled && !locked ? setResult : undefined}
          />
          {status === 'failed' && <ErrorPanel error={error} onRetry={onRegenerate} />}
          {calls.length > 0 && (
            <div className="flex flex-wrap items-center justify-end gap-3">
              {hasNext && <p className="text-xs text-muted">Sending again removes the messages below.</p>}
              <Button variant={hasNext ? 'secondary' : 'primary'} disabled={locked} onClick={onSendResults}>
                <SendHorizontal aria-hidden className="size-3.5" />
                {`Send ${calls.length === 1 ? 'the result' : `${calls.length} results`}${hasNext ? ' again' : ''}`}
              </Button>
            </div>
          )}
          <ResultMeta figures={figures} compact={hasNext} />
        </div>
      )}
    </TurnFrame>
  )
}
