import { useCallback, useEffect, useState } from 'react'
import { useUser } from '../../../session/use-session.ts'
import type { Side } from '../playground-state.ts'
import { type Conversation, emptyConversation, type ModelTurn, type Turn } from './conversation.ts'

export interface ConversationControl {
  readonly conversation: Conversation
  change(changes: Partial<Conversation>): void
  changeTurns(side: Side, change: (turns: readonly Turn[]) => readonly Turn[]): void
  changeAnswer(side: Side, id: string, change: (turn: ModelTurn) => ModelTurn): void
}

const pauseMs = 300

/** The conversation of this tab, which survives a reload unless its attachments are too large for the browser's storage. */
export function useConversation(): ConversationControl {
  // Another user may log in in the same tab.
  const storageKey = `fairlead-messages-${useUser().id}`
  const [conversation, setConversation] = useState(() => readConversation(storageKey))

  useEffect(() => {
    const timer = setTimeout(() => storeConversation(storageKey, conversation), pauseMs)
    return () => clearTimeout(timer)
  }, [storageKey, conversation])

  const change = useCallback<ConversationControl['change']>(
    (changes) => setConversation((before) => ({ ...before, ...changes })),
    [],
  )
  const changeTurns = useCallback<ConversationControl['changeTurns']>(
    (side, apply) =>
      setConversation((before) => ({ ...before, turns: { ...before.turns, [side]: apply(before.turns[side]) } })),
    [],
  )
  const changeAnswer = useCallback<ConversationControl['changeAnswer']>(
    (side, id, apply) =>
      changeTurns(side, (turns) =>
        turns.map((turn) => (turn.role === 'assistant' && turn.id === id ? apply(turn) : turn)),
      ),
    [changeTurns],
  )
  return { conversation, change, changeTurns, changeAnswer }
}

function readConversation(storageKey: string): Conversation {
  try {
    const stored = JSON.parse(sessionStorage.getItem(storageKey) ?? '{}') as Partial<Conversation>
    return { ...emptyConversation, ...stored }
  } catch {
    return emptyConversation
  }
}

function storeConversation(storageKey: string, conversation: Conversation): void {
  try {
    sessionStorage.setItem(storageKey, JSON.stringify(conversation))
  } catch {
    // An older conversation must not come back in its place.
    sessionStorage.removeItem(storageKey)
  }
}
