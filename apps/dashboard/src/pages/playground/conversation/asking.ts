import { type Column, nextTurn, requestFor, turnsToSend } from '../columns.ts'
import type { Calls } from '../use-calls.ts'
import { toTurn, type Turn, type UserTurn } from './conversation.ts'
import type { ConversationControl } from './use-conversation.ts'

export interface Asking {
  /** Asks for an answer to these turns, which replace the turns of the column. */
  ask(column: Column, turns: readonly Turn[]): void
  /** Sends the next message to all columns. */
  send(prompt: string): void
  changeUserTurn(turn: UserTurn): void
  /** Replaces a message in all columns that have it, removes the turns below, and asks for answers. */
  runUserTurn(turn: UserTurn): void
  remove(turn: Turn): void
}

/** The actions on the turns of a conversation. The columns of a comparison share the messages of the user. */
export function asking(columns: readonly Column[], control: ConversationControl, calls: Calls): Asking {
  const { conversation, change, changeTurns } = control

  function ask(column: Column, turns: readonly Turn[]) {
    const { side, key } = column
    const request = requestFor(column, conversation, turns)
    if (!request) return
    changeTurns(side, () => turns)
    calls.start(key, request, (call) => {
      const turn = toTurn(call)
      if (turn) changeTurns(side, (before) => [...before, turn])
    })
  }

  return {
    ask,
    send(prompt) {
      const next = nextTurn(prompt, conversation.attachments)
      for (const column of columns) ask(column, turnsToSend(column.turns, next))
      change({ attachments: [] })
    },
    changeUserTurn(turn) {
      for (const { side } of columns)
        changeTurns(side, (turns) => turns.map((each) => (each.id === turn.id ? turn : each)))
    },
    runUserTurn(turn) {
      for (const column of columns) {
        const at = column.turns.findIndex(({ id }) => id === turn.id)
        if (at !== -1) ask(column, [...column.turns.slice(0, at), turn])
      }
    },
    remove(turn) {
      for (const { side } of columns) changeTurns(side, (turns) => turns.filter(({ id }) => id !== turn.id))
    },
  }
}
