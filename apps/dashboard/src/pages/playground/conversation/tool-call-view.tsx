import { useId } from 'react'
import { inputClass } from '../../../components/field.tsx'
import { Wrench } from '../../../components/icons.tsx'
import type { StreamedPart } from '../streamed-parts.ts'
import { type AnswerPart, type ToolResult, unreadableInput } from './conversation.ts'
import { JsonCode } from './json-code.tsx'

export interface ToolCallViewProps {
  readonly call: Extract<AnswerPart | StreamedPart, { type: 'tool_call' }>
  /** Whether the input is still growing. */
  readonly running: boolean
  readonly result: ToolResult | undefined
  onResultChange?: ((callId: string, result: ToolResult) => void) | undefined
}

const emptyResult: ToolResult = { text: '', isError: false }

/** The call of a tool with its input, and a field for its result. */
export function ToolCallView({ call, running, result = emptyResult, onResultChange }: ToolCallViewProps) {
  const id = useId()
  const { id: callId, name } = call
  const unread = 'input' in call ? unreadableInput(call) : undefined
  return (
    <section
      aria-label={`Call of ${name}, ${callId}`}
      aria-busy={running}
      className="flex min-w-0 flex-col gap-2.5 rounded-lg border border-line p-3"
    >
      <p className="flex min-w-0 items-center gap-2 text-sm font-medium">
        <Wrench aria-hidden className="size-3.5 shrink-0 text-muted" />
        <span className="truncate font-mono">{name}</span>
        <span className="ml-auto truncate font-mono text-2xs font-normal text-muted">{callId}</span>
      </p>
      <pre className={`min-w-0 rounded-md bg-sunken p-2.5 ${running ? 'typing' : ''}`}>
        <JsonCode text={'input' in call ? (unread ?? inputText(call.input)) : call.inputText} />
      </pre>
      {unread !== undefined && (
        <p className="text-xs text-muted">The model wrote an input that is not a JSON object.</p>
      )}
      {onResultChange && (
        <div className="flex flex-col gap-1.5">
          <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
            <label htmlFor={id} className="text-xs font-medium">
              Result of {name}
            </label>
            <label className="flex cursor-pointer items-center gap-1.5 text-xs text-muted">
              <input
                type="checkbox"
                checked={result.isError}
                onChange={(event) => onResultChange(callId, { ...result, isError: event.target.checked })}
                className="size-3.5 accent-accent"
              />
              The tool failed
            </label>
          </div>
          <textarea
            id={id}
            rows={2}
            value={result.text}
            placeholder="A text or JSON, as your function would return it"
            onChange={(event) => onResultChange(callId, { ...result, text: event.target.value })}
            className={`${inputClass} field-sizing-content h-auto! max-h-60 min-h-14 py-1.5 font-mono text-xs!`}
          />
        </div>
      )}
    </section>
  )
}

const maxLineLength = 80

/** In one line if it is short. */
function inputText(input: object): string {
  const line = JSON.stringify(input)
  return line.length <= maxLineLength ? line : JSON.stringify(input, undefined, 2)
}
