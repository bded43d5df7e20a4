import type { Issue, TextAnswer, TextEvent } from '@fairlead/core/provider'
import { type Ending, endingOf, readFinish } from './finish.ts'
import type { GenerateReply } from './wire.ts'

export function textFromWire(reply: GenerateReply, warnings: readonly Issue[]): TextAnswer {
  const content = textOf(reply)
  const finish = readFinish(endingOf(reply), content !== '')
  return { content, ...finish, warnings: [...warnings, ...finish.warnings] }
}

/** The stream ends with the reply; it is complete if one of its events has a finish reason. */
export async function* textFromEvents(
  events: AsyncIterable<GenerateReply>,
  warnings: readonly Issue[],
): AsyncGenerator<TextEvent, void, undefined> {
  let ending: Ending = {}
  let hasText = false
  for await (const event of events) {
    ending = withLatest(ending, endingOf(event))
    const text = textOf(event)
    if (text === '') continue
    hasText = true
    yield { type: 'text', text }
  }
  const finish = readFinish(ending, hasText)
  yield { type: 'finish', ...finish, warnings: [...warnings, ...finish.warnings] }
}

function textOf({ candidates }: GenerateReply): string {
  const parts = candidates?.[0]?.content?.parts ?? []
  return parts.map(({ text = '', thought = false }) => (thought ? '' : text)).join('')
}

function withLatest(ending: Ending, latest: Ending): Ending {
  return { ...ending, ...Object.fromEntries(Object.entries(latest).filter(([, value]) => value !== undefined)) }
}
