import { type ReactNode, useState } from 'react'
import { Button } from '../../components/button.tsx'
import { Card } from '../../components/card.tsx'
import { announceStatus, CallStatus } from './call-status.tsx'
import { CodeDialog } from './code/code-dialog.tsx'
import type { Column } from './columns.ts'

export interface CallCardProps extends Pick<Column, 'call' | 'request'> {
  readonly title: string
  /** Whether the content has no padding. Default: false. */
  readonly flush?: boolean
  readonly children: ReactNode
}

/** The frame of a column: the status of its call, which screen readers announce, and the code of its request. */
export function CallCard({ title, call, request, flush = false, children }: CallCardProps) {
  const [codeShown, setCodeShown] = useState(false)
  return (
    <Card
      title={title}
      flush={flush}
      actions={
        <div className="flex items-center gap-2">
          {call && <CallStatus call={call} />}
          <Button size="sm" disabled={!request} onClick={() => setCodeShown(true)}>
            View code
          </Button>
        </div>
      }
    >
      <p role="status" className="sr-only">
        {call && announceStatus(call)}
      </p>
      {children}
      {request && codeShown && <CodeDialog open onOpenChange={setCodeShown} request={request} />}
    </Card>
  )
}
