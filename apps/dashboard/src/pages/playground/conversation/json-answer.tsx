import { useMemo } from 'react'
import { Badge } from '../../../components/badge.tsx'
import type { ResponseFormat } from './conversation.ts'
import { JsonCode } from './json-code.tsx'
import { checkJson } from './schema-validity.ts'

export interface JsonAnswerProps {
  readonly label: string
  readonly text: string
  readonly format: ResponseFormat
}

/** A JSON answer, and whether it follows the schema. */
export function JsonAnswer({ label, text, format }: JsonAnswerProps) {
  const { text: shown, isValid, issues } = useMemo(() => checkJson(text, format), [text, format])
  const kind = format.type === 'json_schema' ? 'the schema' : 'the format'
  return (
    <div className="flex min-w-0 flex-col gap-2">
      <div>
        <Badge tone={isValid ? 'success' : 'danger'}>{isValid ? `Follows ${kind}` : `Does not follow ${kind}`}</Badge>
      </div>
      {issues.length > 0 && (
        <ul className="list-inside list-disc text-xs break-words text-danger">
          {issues.map((issue) => (
            <li key={issue}>{issue}</li>
          ))}
        </ul>
      )}
      <pre role="region" aria-label={label} className="min-w-0 rounded-lg border border-line bg-sunken p-3">
        <JsonCode text={shown} />
      </pre>
    </div>
  )
}
