import { memo } from 'react'
import { TextResult } from '../text-result.tsx'
import type { StreamedPart } from '../streamed-parts.ts'
import type { AnswerPart, ResponseFormat, ToolResult } from './conversation.ts'
import { JsonAnswer } from './json-answer.tsx'
import { ReasoningText } from './reasoning-text.tsx'
import { ToolCallView } from './tool-call-view.tsx'

export interface AnswerProps {
  /** Read by screen readers. */
  readonly label: string
  readonly parts: readonly (AnswerPart | StreamedPart)[]
  readonly running: boolean
  /** Shows texts as the model wrote them, without formatting. */
  readonly raw: boolean
  readonly format?: ResponseFormat | undefined
  readonly results?: Readonly<Partial<Record<string, ToolResult>>> | undefined
  /** Absent while the answer cannot take results. */
  onResultChange?: ((callId: string, result: ToolResult) => void) | undefined
}

/** The parts of an answer, in their order: reasoning, text or JSON, a refusal, and tool calls. */
export const Answer = memo((props: AnswerProps) => {
  const { label, parts, running, raw, format, results, onResultChange } = props
  const isJson = !running && format !== undefined && format.type !== 'text' && !raw
  return (
    <>
      {parts.map((part, index) => {
        const isLast = index === parts.length - 1
        // oxlint-disable-next-line no-array-index-key -- parts are only added at the end
        const key = index
        switch (part.type) {
          case 'reasoning':
            return <ReasoningText key={key} text={part.text} running={running && isLast} />
          case 'tool_call':
            return (
              <ToolCallView
                key={part.id}
                call={part}
                running={running && isLast}
                result={results?.[part.id]}
                onResultChange={onResultChange}
              />
            )
          case 'refusal':
            return (
              <div key={key} className="flex min-w-0 flex-col gap-1.5">
                <p className="text-xs font-medium text-muted">The model declined to answer</p>
                <TextResult label="Refusal" text={part.text} running={running && isLast} raw={raw} />
              </div>
            )
          case 'text':
            return isJson ? (
              <JsonAnswer key={key} label={label} text={part.text} format={format} />
            ) : (
              <TextResult
                key={key}
                label={label}
                text={part.text}
                running={running && isLast}
                raw={raw || format?.type === 'json_schema'}
              />
            )
        }
      })}
    </>
  )
})
Answer.displayName = 'Answer'
