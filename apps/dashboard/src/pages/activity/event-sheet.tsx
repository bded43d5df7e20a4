import { api } from '../../api/client.ts'
import { Button } from '../../components/button.tsx'
import { CodeBlock } from '../../components/code-block.tsx'
import { CopyableText } from '../../components/copyable-text.tsx'
import { QueryError } from '../../components/query-error.tsx'
import { FactList } from '../../components/fact-list.tsx'
import { ListFilter } from '../../components/icons.tsx'
import { Sheet } from '../../components/sheet.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { eventTypes } from '../../events/event-types.ts'
import { formatTime } from '../../format.ts'
import { useIsAdmin } from '../../projects/current-project.ts'

export interface EventSheetProps {
  readonly id: string
  onClose(): void
  /** Lists only events about that record or request, or of that user. */
  onFilter(filter: { readonly resource?: string | undefined; readonly user?: string | undefined }): void
}

/** An event with its JSON. */
export function EventSheet({ id, onClose, onFilter }: EventSheetProps) {
  const isAdmin = useIsAdmin()
  const query = api.useQuery('get', '/events/{id}', { params: { path: { id } } })
  const event = query.data?.data
  const when = eventTypes.find(({ type }) => type === event?.type)?.when.replaceAll('`', '')
  return (
    <Sheet open onOpenChange={onClose} title={event?.type ?? 'Event'} description={when}>
      <QueryError query={query} />
      {query.isPending && <Skeleton className="h-40 w-full" />}
      {event && (
        <>
          <FactList
            facts={[
              { label: 'Time', value: <time dateTime={event.created_at}>{formatTime(event.created_at)}</time> },
              { label: 'Event id', value: <CopyableText text={event.id} label="event id" /> },
              { label: 'Record', value: <CopyableText text={event.resource_id} label="id of the record" /> },
              {
                label: 'User',
                value: event.user_id === null ? 'None' : <CopyableText text={event.user_id} label="user id" />,
              },
            ]}
          />
          <div className="flex flex-wrap gap-2">
            <Button size="sm" onClick={() => onFilter({ resource: event.resource_id })}>
              <ListFilter aria-hidden className="size-3.5" />
              Show all events of this record
            </Button>
            {isAdmin && event.user_id !== null && (
              <Button size="sm" onClick={() => onFilter({ user: event.user_id ?? undefined })}>
                <ListFilter aria-hidden className="size-3.5" />
                Show all events of this user
              </Button>
            )}
          </div>
          <section>
            <h3 className="mb-2 text-sm font-medium">Data</h3>
            <CodeBlock label="data" code={JSON.stringify(event.data, null, 2)} />
          </section>
        </>
      )}
    </Sheet>
  )
}
