import { useEffect } from 'react'
import { CallCard } from '../call-card.tsx'
import type { Column } from '../columns.ts'
import { Examples } from '../examples.tsx'
import type { ModelTurn, Turn, UserTurn } from './conversation.ts'
import { ModelTurnView, toShownTurn } from './model-turn-view.tsx'
import type { ConversationControl } from './use-conversation.ts'
import { UserTurnView } from './user-turn-view.tsx'

export interface ConversationCardProps {
  readonly column: Column
  readonly compare: boolean
  readonly raw: boolean
  onRawChange(raw: boolean): void
  readonly changeAnswer: ConversationControl['changeAnswer']
  onUserChange(turn: UserTurn): void
  onUserRun(turn: UserTurn): void
  onRemove(turn: Turn): void
  /** Asks for an answer to these turns, which replace the turns of the column. */
  onAsk(turns: readonly Turn[]): void
  onExample(prompt: string): void
}

/** The conversation of a column, with the answer that is being written. */
export function ConversationCard(props: ConversationCardProps) {
  const { column, compare, onUserChange, onUserRun, onRemove, onAsk, onExample, ...view } = props
  const { side, title, choice, request, turns, call } = column
  const locked = call?.status === 'running'
  useScrollToEnd(call)
  const live = call && isLive(call, turns) ? toShownTurn(call) : undefined
  const name = choice?.name ?? title
  let answers = 0
  const labelOf = () => {
    answers += 1
    return ['Generated text', ...(answers > 1 ? [answers] : []), ...(compare ? [title] : [])].join(', ')
  }
  const viewOf = (turn: ModelTurn | ReturnType<typeof toShownTurn>, index: number) => (
    <ModelTurnView
      key={turn.id}
      side={side}
      turn={turn}
      label={labelOf()}
      locked={locked}
      hasNext={index < turns.length - 1}
      onRegenerate={() => onAsk(turns.slice(0, index))}
      onSendResults={() => onAsk(turns.slice(0, index + 1))}
      onRemove={() => onRemove(turn as ModelTurn)}
      {...view}
    />
  )
  return (
    <CallCard title={compare ? `Conversation with ${name}` : 'Conversation'} flush call={call} request={request}>
      {turns.length === 0 && !live ? (
        <Examples mode="text" onExample={onExample} />
      ) : (
        <ol
          aria-label={compare ? `Messages, ${title}` : 'Messages'}
          className="mt-3.5 divide-y divide-line border-t border-line"
        >
          {/* In one list, so that an answer stays the same element when it is complete. */}
          {[...turns, ...(live ? [live] : [])].map((turn, index) =>
            'role' in turn && turn.role === 'user' ? (
              <UserTurnView
                key={turn.id}
                turn={turn}
                locked={locked}
                onChange={onUserChange}
                onRun={onUserRun}
                onRemove={() => onRemove(turn)}
              />
            ) : (
              viewOf(turn, index)
            ),
          )}
        </ol>
      )}
    </CallCard>
  )
}

/** How far the end may be for a reader who follows the answer: its figures and buttons appear at once. */
const nearEnd = 400

/** Shows the beginning of a new answer, and the end of one that was followed. */
function useScrollToEnd(call: Column['call']): void {
  const id = call?.id
  const running = call?.status === 'running'
  useEffect(() => {
    const { scrollHeight, clientHeight, scrollTop } = document.documentElement
    const isNear = scrollHeight - clientHeight - scrollTop < nearEnd
    if (id !== undefined && (running || isNear)) window.scrollTo({ top: scrollHeight })
  }, [id, running])
}

/** Whether a call is shown apart from the turns: while it runs, and if it ended without content. */
function isLive({ id, status, parts }: NonNullable<Column['call']>, turns: readonly Turn[]): boolean {
  if (turns.some((turn) => turn.id === id)) return false
  return (
    status === 'running' || status === 'failed' || (status === 'stopped' && parts.every(({ type }) => type !== 'text'))
  )
}
